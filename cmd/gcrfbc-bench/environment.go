package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// environment says where and with what results were made.
type environment struct {
	Date    string            `json:"date"`
	CPU     string            `json:"cpu"`
	Cores   int               `json:"cores"`
	Level   string            `json:"instructions"` // those of our kernels
	System  string            `json:"system"`
	Go      string            `json:"go"`
	Commit  string            `json:"commit,omitempty"`
	LoadAt  string            `json:"load_start,omitempty"` // mean number of running processes, 1, 5 and 15 minutes
	LoadEnd string            `json:"load_end,omitempty"`
	Peers   map[string]string `json:"peers,omitempty"` // versions, as the programs print them
	machine
}

func currentEnvironment() environment {
	return environment{
		Date: time.Now().UTC().Format("2006-01-02 15:04 MST"), CPU: cpuModel(), Cores: runtime.NumCPU(), Level: simd.Best().String(),
		System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Commit: commit(), LoadAt: load(), Peers: map[string]string{},
		machine: thisMachine(),
	}
}

// cpuModel returns the processor's name where the system tells it in a file.
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	value := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && value[strings.TrimSpace(k)] == "" {
			value[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	name := value["model name"]
	if name == "" {
		return "unknown"
	}
	if f := value["cpu family"]; f != "" {
		name += " (family " + f + ", model " + value["model"] + ")"
	}
	return name
}

// load returns the load averages where there are any.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if f := strings.Fields(string(text)); err == nil && len(f) >= 3 {
		return strings.Join(f[:3], " ")
	}
	return ""
}

// commit returns the revision that the program was built from.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " with changes"
		}
	}
	if revision == "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return revision + modified
}
