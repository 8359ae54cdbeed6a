package simd

// The assembly and its stubs come from the avo generator in gen, a module of
// its own so that its dependencies stay out of this one. CI runs go generate and
// fails on a difference.

//go:generate go -C gen run . -what panel -isa avx512 -pkg simd -out ../panel_avx512_amd64.s -stubs ../panel_avx512_amd64.go
//go:generate go -C gen run . -what panel -isa avx2 -pkg simd -out ../panel_avx2_amd64.s -stubs ../panel_avx2_amd64.go
//go:generate go -C gen run . -what pack -isa avx512 -pkg simd -out ../pack_avx512_amd64.s -stubs ../pack_avx512_amd64.go
//go:generate go -C gen run . -what pack -isa avx2 -pkg simd -out ../pack_avx2_amd64.s -stubs ../pack_avx2_amd64.go
//go:generate go -C gen run . -what vector -isa avx512 -pkg simd -out ../vector_avx512_amd64.s -stubs ../vector_avx512_amd64.go
//go:generate go -C gen run . -what vector -isa avx2 -pkg simd -out ../vector_avx2_amd64.s -stubs ../vector_avx2_amd64.go
//go:generate go -C gen run . -what math -isa avx512 -pkg simd -out ../math_avx512_amd64.s -stubs ../math_avx512_amd64.go
//go:generate go -C gen run . -what math -isa avx2 -pkg simd -out ../math_avx2_amd64.s -stubs ../math_avx2_amd64.go
