# SYNTAX TEST "source.pypto-ir" "hand-written kernels and the documents' shorthand"
# pypto-ls: platform=Ascend950 planner=DSA_RP
# <~~--------- keyword.other.directive.pypto-ir
#           ^^^^^^^^ comment.line.number-sign.pypto-ir variable.parameter.pypto-ir
#                    ^^^^^^^^^ constant.language.pypto-ir
ld = pl.load(x, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat)
#       ^^^^ support.function.pypto-ir
#                                 ^^^^^^^^^^^^^ variable.parameter.pypto-ir
#                                                              ^^^ constant.language.space.pypto-ir
a: Tile[[64, 64], FP32, MemRef(mem_vec_0, -1, 16384)] = tile.add(b, c)
#  ^^^^ support.type.pypto-ir
#                 ^^^^ storage.type.dtype.pypto-ir
#                       ^^^^^^ support.type.memref.pypto-ir
#                              ^^^^^^^^^ variable.other.buffer.pypto-ir
#                                         ^^ constant.numeric.integer.pypto-ir
#                                             ^^^^^ constant.numeric.integer.pypto-ir
#                                                            ^^^ support.function.op.pypto-ir
mem_vec_0: Ptr = tile.alloc(Vec, 16384)
# <--------- variable.other.buffer.pypto-ir
#                     ^^^^^ support.function.alloc.pypto-ir
#                           ^^^ constant.language.space.pypto-ir
m = MemRef(space=DDR, addr=-1, id=0)
#          ^^^^^ variable.parameter.pypto-ir
#                ^^^ constant.language.space.pypto-ir
with pl.at(level=pl.Level.CORE_GROUP, name_hint="k"):
# <---- keyword.control.pypto-ir
#       ^^ keyword.control.structure.pypto-ir
#                         ^^^^^^^^^^ constant.other.enum.pypto-ir
#                                               ^^^ string.quoted.single.pypto-ir
x = y if a >= 1.5e-3 else 0x40
#             ^^^^^^ constant.numeric.float.pypto-ir
#                         ^^^^ constant.numeric.integer.pypto-ir
