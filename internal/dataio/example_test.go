package dataio_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/gcrfbc/gcrfbc/internal/dataio"
)

func ExampleReadTableFrom() {
	const csv = `node,class,split,lr
0,3,train,0.5
1,1,test,-2
2,,train,1.25
`
	t, err := dataio.ReadTableFrom(strings.NewReader(csv), "nodes.csv")
	if err != nil {
		log.Fatal(err)
	}
	scores, err := t.Scores([]string{"lr"})
	if err != nil {
		log.Fatal(err)
	}
	labels, err := t.Labels("class=3") // 3 against the rest
	if err != nil {
		log.Fatal(err)
	}
	train, err := t.Mask("split=train")
	fmt.Println(scores, labels, train, err)
	_, err = t.Scores([]string{"split"})
	fmt.Println(err)
	// Output:
	// [0.5 -2 1.25] [1 0 -1] [true false true] <nil>
	// nodes.csv:2:3: column split: score of node 0 is "train", which is not a number; every node needs a finite score
}
