//go:build !purego

#include "textflag.h"

// func dot8(s *[8]float64, a, b, quads []float64)
// X0 to X3 hold the sums, two each: of a with the first and last two of a quad, then of b.
TEXT ·dot8(SB), NOSPLIT, $0-80
	MOVQ s+0(FP), DI
	MOVQ a_base+8(FP), AX
	MOVQ a_len+16(FP), CX
	MOVQ b_base+32(FP), BX
	MOVQ quads_base+56(FP), DX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	LEAQ (AX)(CX*8), AX
	LEAQ (BX)(CX*8), BX
	NEGQ CX
	JZ done

row:
	MOVSD (AX)(CX*8), X4
	UNPCKLPD X4, X4
	MOVSD (BX)(CX*8), X5
	UNPCKLPD X5, X5
	MOVUPD (DX), X6
	MOVUPD 16(DX), X7
	MOVAPD X6, X8
	MOVAPD X7, X9
	MULPD X4, X6
	MULPD X4, X7
	MULPD X5, X8
	MULPD X5, X9
	ADDPD X6, X0
	ADDPD X7, X1
	ADDPD X8, X2
	ADDPD X9, X3
	ADDQ $32, DX
	INCQ CX
	JNZ row

done:
	MOVUPD X0, (DI)
	MOVUPD X1, 16(DI)
	MOVUPD X2, 32(DI)
	MOVUPD X3, 48(DI)
	RET
