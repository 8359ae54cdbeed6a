(function () {
  "use strict";
  function key(cell) {
    var s = cell ? cell.getAttribute("data-sort") : null;
    return s !== null ? parseFloat(s) : cell ? cell.textContent.trim() : "";
  }
  function compare(a, b) {
    var x = typeof a === "number", y = typeof b === "number";
    if (x && y) return a - b;
    if (x !== y) return x ? -1 : 1; // numbers before what has none
    return a.localeCompare(b, undefined, { numeric: true });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var body = table.tBodies[0], heads = table.tHead.rows[0].cells;
    Array.prototype.forEach.call(heads, function (th, column) {
      th.addEventListener("click", function () {
        var up = th.getAttribute("aria-sort") !== "ascending";
        Array.prototype.forEach.call(heads, function (h) { h.removeAttribute("aria-sort"); });
        th.setAttribute("aria-sort", up ? "ascending" : "descending");
        var rows = Array.prototype.map.call(body.rows, function (r, i) { return { row: r, at: i, key: key(r.cells[column]) }; });
        rows.sort(function (a, b) { return (up ? 1 : -1) * compare(a.key, b.key) || a.at - b.at; });
        rows.forEach(function (r) { body.appendChild(r.row); });
      });
    });
  });
  document.documentElement.setAttribute("data-ready", "yes");
})();
