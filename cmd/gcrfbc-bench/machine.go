package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/hardware"
	"github.com/gcrfbc/gcrfbc/internal/dense"
	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"
)

// machine is what environment says besides the processor's name: hardware, limits
// and settings on which times depend.
type machine struct {
	Features   []string `json:"features,omitempty"`   // instruction sets of the processor that matter here
	Caches     string   `json:"caches,omitempty"`     // of one core, as the system tells: "L1d 48K, L2 1024K, L3 32768K"
	Memory     float64  `json:"memory_mb,omitempty"`  // physical
	OS         string   `json:"os,omitempty"`         // name of the distribution
	Kernel     string   `json:"kernel,omitempty"`     // release of the operating system's kernel
	Virtual    bool     `json:"hypervisor,omitempty"` // a virtual machine: other guests may take time
	Governor   string   `json:"governor,omitempty"`   // frequency policy
	Tags       string   `json:"tags,omitempty"`       // build tags
	GOAMD64    string   `json:"goamd64,omitempty"`    // level that the compiler assumed
	Cgo        bool     `json:"cgo"`                  // compiled with cgo
	Race       bool     `json:"race,omitempty"`       // race detector: times mean nothing
	Backend    string   `json:"backend"`              // dense kernels
	GOMAXPROCS int      `json:"gomaxprocs"`           // goroutines that run at once
	GOMEMLIMIT float64  `json:"gomemlimit_mb,omitempty"`
	CPULimit   float64  `json:"cgroup_cpus,omitempty"`      // processors that the control group may use
	RAMLimit   float64  `json:"cgroup_memory_mb,omitempty"` // memory that the control group may use
	Variables  []string `json:"variables,omitempty"`        // environment variables that are set and matter: NAME=value
}

// relevant are environment variables that change speed: Go's, and those of the
// libraries that compare runs.
var relevant = []string{"GOGC", "GODEBUG", "GOMAXPROCS", "GOMEMLIMIT", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}

const megabyte = 1 << 20

// thisMachine asks the system; what it does not tell stays empty.
func thisMachine() machine {
	m := machine{Features: features(), Caches: caches("/sys/devices/system/cpu/cpu0/cache"), Backend: dense.Native{}.Name(), GOMAXPROCS: runtime.GOMAXPROCS(0)}
	if b := hardware.Memory(); b > 0 {
		m.Memory = float64(b) / megabyte
	}
	if text, err := os.ReadFile("/etc/os-release"); err == nil {
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
				m.OS = strings.Trim(v, `"`)
			}
		}
	}
	m.Kernel = hardware.FirstLine("/proc/sys/kernel/osrelease")
	m.Governor = hardware.FirstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		m.Virtual = bytes.Contains(text, []byte(" hypervisor"))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "-tags":
				m.Tags = s.Value
			case "GOAMD64":
				m.GOAMD64 = s.Value
			case "CGO_ENABLED":
				m.Cgo = s.Value == "1"
			case "-race":
				m.Race = s.Value == "true"
			}
		}
	}
	if limit := debug.SetMemoryLimit(-1); limit < 1<<62 {
		m.GOMEMLIMIT = float64(limit) / megabyte
	}
	cpus, bytes := hardware.Limits("/")
	m.CPULimit, m.RAMLimit = cpus, float64(bytes)/megabyte
	for _, name := range relevant {
		if v, ok := os.LookupEnv(name); ok {
			m.Variables = append(m.Variables, name+"="+v)
		}
	}
	return m
}

func features() []string {
	var list []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"avx2", cpu.X86.HasAVX2}, {"fma", cpu.X86.HasFMA}, {"avx512f", cpu.X86.HasAVX512F}, {"avx512dq", cpu.X86.HasAVX512DQ},
		{"avx512vl", cpu.X86.HasAVX512VL}, {"avx512bw", cpu.X86.HasAVX512BW}, {"neon", cpu.ARM64.HasASIMD}, {"sve", cpu.ARM64.HasSVE},
	} {
		if f.has {
			list = append(list, f.name)
		}
	}
	return list
}

// caches lists the caches of a core from Linux's folder of them.
func caches(folder string) string {
	var list []string
	entries, _ := filepath.Glob(filepath.Join(folder, "index*"))
	for _, e := range entries {
		kind, level, size := hardware.FirstLine(filepath.Join(e, "type")), hardware.FirstLine(filepath.Join(e, "level")), hardware.FirstLine(filepath.Join(e, "size"))
		if size == "" || kind == "Instruction" {
			continue
		}
		name := "L" + level
		if kind == "Data" {
			name += "d"
		}
		list = append(list, name+" "+size)
	}
	return strings.Join(list, ", ")
}

// record returns the environment as one record, for the beginning of a file of
// results.
func (e environment) record() record.Record {
	r, err := record.Of("environment", e)
	if err != nil {
		panic("gcrfbc-bench: " + err.Error()) // a struct of words and numbers
	}
	delete(r.Fields, "peers")
	for name, version := range e.Peers {
		r.Fields[name+"_version"] = version
	}
	for _, list := range []string{"features", "variables"} {
		if words, ok := r.Fields[list].([]any); ok {
			r.Fields[list] = strings.Trim(fmt.Sprint(words), "[]")
		}
	}
	return r
}

func machineCommand(stdout io.Writer) *cobra.Command {
	var o record.Outputs
	cmd := &cobra.Command{
		Use:   "machine",
		Short: "Say what this machine, this program and their settings are",
		Long: `machine prints what times depend on: the processor and the instructions that the
kernels use, caches, memory, the operating system, the Go version, the commit and
tags that the program was built from, numbers of threads, memory limits of Go and of
control groups, and environment variables that are set and matter. Files of results
begin with the same record; diff says what changed between two.`,
		Example: `  gcrfbc-bench machine
  gcrfbc-bench machine --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) (err error) {
			sink, err := o.Open(stdout)
			if err != nil {
				return err
			}
			r := currentEnvironment().record()
			if err := sink.Write(r); err != nil {
				return err
			}
			if !o.JSON {
				err = printEnvironment(stdout, r)
			}
			if e := sink.Close(); err == nil {
				err = e
			}
			return err
		},
	}
	o.Register(cmd.Flags())
	return cmd
}

// environmentTitles are the fields of an environment in the order of reading.
var environmentTitles = []struct{ key, title string }{
	{"cpu", "processor"}, {"cores", "cores"}, {"features", "features"}, {"caches", "caches"}, {"memory_mb", "memory, MB"},
	{"hypervisor", "virtual machine"}, {"governor", "frequency policy"}, {"os", "system"}, {"kernel", "kernel"}, {"system", "platform"},
	{"go", "Go"}, {"commit", "commit"}, {"tags", "build tags"}, {"goamd64", "GOAMD64"}, {"cgo", "cgo"}, {"race", "race detector"},
	{"instructions", "kernels"}, {"backend", "backend"}, {"gomaxprocs", "GOMAXPROCS"}, {"gomemlimit_mb", "GOMEMLIMIT, MB"},
	{"cgroup_cpus", "cgroup processors"}, {"cgroup_memory_mb", "cgroup memory, MB"}, {"variables", "variables"},
	{"load_start", "load (1, 5, 15 min)"}, {"date", "date"},
}

func printEnvironment(w io.Writer, r record.Record) error {
	width := 0
	for _, t := range environmentTitles {
		width = max(width, len(t.title))
	}
	for _, t := range environmentTitles {
		v := r.String(t.key)
		if f, ok := r.Float(t.key); ok && strings.HasSuffix(t.key, "_mb") {
			v = strconv.FormatFloat(f, 'f', 0, 64)
		}
		if v == "" {
			continue
		}
		if err := say(w, "%-*s  %s", width, t.title, v); err != nil {
			return err
		}
	}
	return nil
}

// environmentChanges lists the fields in which two environments differ, in words.
func environmentChanges(old, now record.Record) []string {
	var list []string
	for _, t := range environmentTitles {
		if slices.Contains([]string{"date", "load_start"}, t.key) {
			continue
		}
		if a, b := old.String(t.key), now.String(t.key); a != b {
			list = append(list, fmt.Sprintf("%s: %s → %s", t.title, orNone(a), orNone(b)))
		}
	}
	return list
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
