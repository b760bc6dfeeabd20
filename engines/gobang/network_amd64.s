//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// LINE adds what a line adds to a cell.
#define LINE(code) \
	SHLL $6, code             \
	MOVOU (R9)(code*1), X14   \
	PADDW X14, X8             \
	MOVOU 16(R9)(code*1), X14 \
	PADDW X14, X9             \
	MOVOU 32(R9)(code*1), X14 \
	PADDW X14, X10            \
	MOVOU 48(R9)(code*1), X14 \
	PADDW X14, X11

// CELL adds what a free cell adds to sums, or takes it off, by OP. See network.cell.
#define CELL(makes, OP, next) \
	MOVL makes(SI), AX       \
	MOVL AX, BX              \
	SHRL $4, BX              \
	ANDL $0x0f0f0f0f, AX     \
	ANDL $0x0f0f0f0f, BX     \
	LEAL 0x0b0b0b0b(AX), DX  \
	LEAL 0x0b0b0b0b(BX), R10 \
	ORL DX, R10              \
	TESTL $0x10101010, R10   \
	JZ next                  \
	MOVL AX, DX              \
	SHRL $12, DX             \
	ORL DX, AX               \
	MOVL BX, DX              \
	SHRL $12, DX             \
	ORL DX, BX               \
	MOVBLZX AX, DX           \
	MOVBLZX BX, R10          \
	SHRL $8, AX              \
	SHRL $8, BX              \
	MOVBLZX AX, AX           \
	MOVBLZX BX, BX           \
	MOVO X4, X8              \
	MOVO X5, X9              \
	MOVO X6, X10             \
	MOVO X7, X11             \
	LINE(DX)                 \
	LINE(R10)                \
	LINE(AX)                 \
	LINE(BX)                 \
	PMAXSW X13, X8           \
	PMAXSW X13, X9           \
	PMAXSW X13, X10          \
	PMAXSW X13, X11          \
	PMINSW X12, X8           \
	PMINSW X12, X9           \
	PMINSW X12, X10          \
	PMINSW X12, X11          \
	OP X8, X0                \
	OP X9, X1                \
	OP X10, X2               \
	OP X11, X3

// func follow(n *network, sum *lanes, changes []change)
TEXT ·follow(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), R8
	MOVQ sum+8(FP), DI
	MOVQ changes_base+16(FP), SI
	MOVQ changes_len+24(FP), CX
	MOVOU (DI), X0
	MOVOU 16(DI), X1
	MOVOU 32(DI), X2
	MOVOU 48(DI), X3
	PXOR X13, X13
	PCMPEQW X12, X12
	MOVO X12, X8
	PSRLW $10, X12 // channelCap
	PSLLW $15, X8  // signs
	MOVOU (network_packedStart+0)(R8), X4
	PXOR X8, X4
	MOVOU (network_packedStart+16)(R8), X5
	PXOR X8, X5
	MOVOU (network_packedStart+32)(R8), X6
	PXOR X8, X6
	MOVOU (network_packedStart+48)(R8), X7
	PXOR X8, X7
	LEAQ network_packed(R8), R9
	TESTQ CX, CX
	JZ done
change:
	CELL(cellChange_makes, PSUBW, now)
now:
	CELL(cellChange_now, PADDW, next)
next:
	ADDQ $cellChange__size, SI
	DECQ CX
	JNZ change
done:
	MOVOU X0, (DI)
	MOVOU X1, 16(DI)
	MOVOU X2, 32(DI)
	MOVOU X3, 48(DI)
	RET

// func respond(n *network, in *[inputWords]uint64) int32
TEXT ·respond(SB), NOSPLIT, $0-20
	MOVQ n+0(FP), R8
	LEAQ network_packedHidden(R8), DI
	LEAQ network_bias(R8), R9
	LEAQ network_packedOut(R8), R10
	MOVQ $(const_hidden/const_block), BX
	PXOR X10, X10
	PXOR X11, X11
	PCMPEQW X12, X12
	PSRLW $2, X12 // hiddenCap
block:
	MOVQ in+8(FP), SI
	MOVQ $(2*const_inputWords), CX
	MOVOU (R9), X0
	MOVOU 16(R9), X1
	MOVOU 32(R9), X2
	MOVOU 48(R9), X3
	MOVOU 64(R9), X4
	MOVOU 80(R9), X5
	MOVOU 96(R9), X6
	MOVOU 112(R9), X7
pair:
	MOVL (SI), AX
	TESTL AX, AX
	JZ next
	MOVD AX, X8
	PSHUFD $0, X8, X8
	MOVOU (DI), X9
	PMADDWL X8, X9
	PADDL X9, X0
	MOVOU 16(DI), X9
	PMADDWL X8, X9
	PADDL X9, X1
	MOVOU 32(DI), X9
	PMADDWL X8, X9
	PADDL X9, X2
	MOVOU 48(DI), X9
	PMADDWL X8, X9
	PADDL X9, X3
	MOVOU 64(DI), X9
	PMADDWL X8, X9
	PADDL X9, X4
	MOVOU 80(DI), X9
	PMADDWL X8, X9
	PADDL X9, X5
	MOVOU 96(DI), X9
	PMADDWL X8, X9
	PADDL X9, X6
	MOVOU 112(DI), X9
	PMADDWL X8, X9
	PADDL X9, X7
next:
	ADDQ $4, SI
	ADDQ $128, DI
	DECQ CX
	JNZ pair
	PSRAL $8, X0
	PSRAL $8, X1
	PSRAL $8, X2
	PSRAL $8, X3
	PSRAL $8, X4
	PSRAL $8, X5
	PSRAL $8, X6
	PSRAL $8, X7
	PACKSSLW X1, X0
	PMAXSW X10, X0
	PMINSW X12, X0
	MOVOU (R10), X9
	PMADDWL X9, X0
	PADDL X0, X11
	PACKSSLW X3, X2
	PMAXSW X10, X2
	PMINSW X12, X2
	MOVOU 16(R10), X9
	PMADDWL X9, X2
	PADDL X2, X11
	PACKSSLW X5, X4
	PMAXSW X10, X4
	PMINSW X12, X4
	MOVOU 32(R10), X9
	PMADDWL X9, X4
	PADDL X4, X11
	PACKSSLW X7, X6
	PMAXSW X10, X6
	PMINSW X12, X6
	MOVOU 48(R10), X9
	PMADDWL X9, X6
	PADDL X6, X11
	ADDQ $(4*const_block), R9
	ADDQ $(2*const_block), R10
	DECQ BX
	JNZ block
	PSHUFD $0x4e, X11, X0
	PADDL X11, X0
	PSHUFD $0xb1, X0, X1
	PADDL X1, X0
	MOVQ X0, AX
	MOVL AX, ret+16(FP)
	RET
