package bytesize

import "testing"

func TestParse(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "17": 17, "4GB": 4e9, "4 gib": 4 << 30, "1.5M": 15e5, "512MiB": 512 << 20, "3k": 3000, "12B": 12, "2TB": 2e12,
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "GB", "-1GB", "nan", "inf", "1e300TB", "4 apples"} {
		if got, err := Parse(s); err == nil {
			t.Errorf("%q is %d", s, got)
		}
	}
}

func TestFlagReadsWhatItPrints(t *testing.T) {
	for _, b := range []int64{0, 12, 999999, 35e6, 41e8} {
		f, g := Flag{b}, Flag{}
		if err := g.Set(f.String()); err != nil || g.Bytes != b {
			t.Errorf("%d prints as %s, read as %d, %v", b, f.String(), g.Bytes, err)
		}
	}
}
