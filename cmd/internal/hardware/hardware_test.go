package hardware

import (
	"os"
	"path/filepath"
	"testing"
)

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		cpus  float64
		mb    int64
	}{
		{"none", nil, 0, 0},
		{"version 2, own and a parent's", map[string]string{
			"proc/self/cgroup":             "0::/a/b\n",
			"sys/fs/cgroup/a/b/cpu.max":    "150000 100000\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n",
			"sys/fs/cgroup/a/memory.max":   "1073741824\n",
			"sys/fs/cgroup/a/cpu.max":      "max 100000\n",
		}, 1.5, 1024},
		{"version 1", map[string]string{
			"proc/self/cgroup": "5:memory:/x\n3:cpu,cpuacct:/x\n1:name=systemd:/\n0::/\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "536870912\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n",
			"sys/fs/cgroup/cpu/x/cpu.cfs_quota_us":         "-1\n",
			"sys/fs/cgroup/cpu/x/cpu.cfs_period_us":        "100000\n",
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us":           "400000\n",
			"sys/fs/cgroup/cpu/cpu.cfs_period_us":          "100000\n",
		}, 4, 512},
		{"nonsense", map[string]string{"proc/self/cgroup": "??\n0::relative\n\n", "sys/fs/cgroup/relative/cpu.max": "a b\n"}, 0, 0},
	} {
		cpus, bytes := Limits(tree(t, c.files))
		if cpus != c.cpus || bytes != c.mb<<20 {
			t.Errorf("%s: %g processors, %d bytes, want %g and %d MB", c.name, cpus, bytes, c.cpus, c.mb)
		}
	}
}

func TestUsableMemory(t *testing.T) {
	if all, usable := Memory(), UsableMemory(); usable < 0 || all > 0 && (usable == 0 || usable > all) {
		t.Errorf("%d of %d bytes are usable", usable, all)
	}
}
