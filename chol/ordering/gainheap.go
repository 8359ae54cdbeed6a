package ordering

// gainHeap is a binary heap of nodes, greatest gain first, in which gains can
// rise.
type gainHeap struct {
	items []gainItem
	place []int32 // place[v] is v's index in items, none outside
}

type gainItem struct{ gain, node int32 }

// reset empties the heap for nodes below n.
func (h *gainHeap) reset(n int) {
	for _, x := range h.items {
		h.place[x.node] = none
	}
	h.items = h.items[:0]
	for len(h.place) < n {
		h.place = append(h.place, none)
	}
}

func (h *gainHeap) push(v, gain int32) {
	h.items = append(h.items, gainItem{})
	h.up(len(h.items)-1, gainItem{gain, v})
}

// raise adds to the gain of v, if it is in the heap.
func (h *gainHeap) raise(v, by int32) {
	if k := h.place[v]; k >= 0 {
		x := h.items[k]
		x.gain += by
		h.up(int(k), x)
	}
}

func (h *gainHeap) pop() (v, gain int32) {
	top := h.items[0]
	h.place[top.node] = none
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	if n > 0 {
		h.down(x)
	}
	return top.node, top.gain
}

// up puts x at place k or above.
func (h *gainHeap) up(k int, x gainItem) {
	items, place := h.items, h.place
	for k > 0 {
		p := (k - 1) / 2
		if items[p].gain >= x.gain {
			break
		}
		items[k] = items[p]
		place[items[k].node] = int32(k)
		k = p
	}
	items[k] = x
	place[x.node] = int32(k)
}

// down puts x at the top or below.
func (h *gainHeap) down(x gainItem) {
	items, place := h.items, h.place
	k := 0
	for {
		c := 2*k + 1
		if c >= len(items) {
			break
		}
		if c+1 < len(items) && items[c+1].gain > items[c].gain {
			c++
		}
		if items[c].gain <= x.gain {
			break
		}
		items[k] = items[c]
		place[items[k].node] = int32(k)
		k = c
	}
	items[k] = x
	place[x.node] = int32(k)
}
