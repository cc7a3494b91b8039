# SYNTAX TEST "source.pypto-ir" "a printed dump"
# pypto.program: Ring1
# <~~~~~~~~~~~~~~~ keyword.other.header.pypto-ir
import pypto.language as pl
# <------ keyword.control.pypto-ir
@pl.program
#^^^^^^^^^^ entity.name.function.decorator.pypto-ir
class Ring1:
# <----- storage.type.class.pypto-ir
#     ^^^^^ entity.name.type.class.pypto-ir
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC)
#    ^^^^^^^^^^^ entity.name.function.decorator.pypto-ir
#                ^^^^ variable.parameter.pypto-ir
#                        ^^^^^^^^^^^^ support.type.enum.pypto-ir
#                                     ^^^ constant.other.enum.pypto-ir
    def main(in0: pl.Tensor[[256, 1024], pl.BF16, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 524288)]):
#   ^^^ storage.type.function.pypto-ir
#       ^^^^ entity.name.function.pypto-ir
#                    ^^^^^^ support.type.pypto-ir
#                                 ^^^ constant.numeric.integer.pypto-ir
#                                           ^^^^ storage.type.dtype.pypto-ir
#                                                    ^^^^^^ meta.memref.pypto-ir support.type.memref.pypto-ir
#                                                            ^^^^^^^^^ meta.memref.pypto-ir variable.other.buffer.pypto-ir
#                                                                        ^^ support.module.pypto-ir
#                                                                                 ^ constant.numeric.address.pypto-ir
#                                                                                               ^^^^^^ meta.memref.pypto-ir constant.numeric.integer.pypto-ir
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 8192)
#       ^^^^^^^^^ variable.other.buffer.pypto-ir
#                     ^^^ support.type.pypto-ir
#                              ^^^^ support.module.namespace.pypto-ir
#                                   ^^^^^ support.function.alloc.pypto-ir
#                                            ^^^ support.type.space.pypto-ir
#                                                ^^^ constant.language.space.pypto-ir
        t: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_4, pl.const(16384, pl.INT64), 8192), pl.Mem.Acc] = pl.tile.add(a, b)
#             ^^^^ support.type.pypto-ir
#                            ^^ support.module.pypto-ir
#                               ^^^^ storage.type.dtype.pypto-ir
#                                               ^^^^^^^^^ variable.other.buffer.pypto-ir
#                                                                   ^^^^^ constant.numeric.address.pypto-ir
#                                                                          ^^ support.module.pypto-ir
#                                                                             ^^^^^ storage.type.dtype.pypto-ir
#                                                                                     ^^^^ constant.numeric.integer.pypto-ir
#                                                                                                   ^^^ constant.language.space.pypto-ir
#                                                                                                                  ^^^ support.function.op.pypto-ir
        for i, (acc,) in pl.range(0, 6, 3, init_values=(t,)):
#       ^^^ keyword.control.pypto-ir
#                           ^^^^^ keyword.control.structure.pypto-ir
#                                          ^^^^^^^^^^^ variable.parameter.pypto-ir
            lr: pl.Tile[[64, 64], pl.FP32] = pl.yield_(acc)
#                                               ^^^^^^ keyword.control.structure.pypto-ir
        buf: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='ring', size=65536, base=-1)
#              ^^^^^^^ ^ - comment
#                                     ^^^^^^ support.module.namespace.pypto-ir
#                                            ^^^^^^^^^^^^^^ support.function.op.pypto-ir
#                                                                ^^^^^^ string.quoted.single.pypto-ir
        if x == 0 and not y:
#         ^ - variable.parameter.pypto-ir
#               ^ constant.numeric.integer.pypto-ir
#                 ^^^ keyword.operator.logical.pypto-ir
        self.main_aiv(in0)
#       ^^^^ variable.language.self.pypto-ir
#            ^^^^^^^^ entity.name.function.kernel.pypto-ir
        return t  # done
#       ^^^^^^ keyword.control.pypto-ir
#                 ^^^^^^ comment.line.number-sign.pypto-ir
