# pypto.program: Gate
import pypto.language as pl

@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def gate(x: pl.Tensor[[512, 128], pl.FP32], scale: pl.Tensor[[1, 128], pl.FP32], bias: pl.Tensor[[64, 128], pl.FP32], out: pl.Out[pl.Tensor[[512, 128], pl.FP32]]) -> pl.Tensor[[512, 128], pl.FP32]:
        s: pl.Tile[[1, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(scale, [0, 0], [1, 128], [1, 128], target_memory=pl.Mem.Vec)
        acc0: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(bias, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        for i, (acc,) in pl.range(8, init_values=(acc0,)):
            row: pl.Scalar[pl.INDEX] = i * 64
            t: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [row, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
            scaled: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.col_expand_mul(t, s)
            e: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(scaled)
            g: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.recip(e)
            nxt: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(acc, g)
            res: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.yield_(nxt)
        half: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.slice(res, [32, 128], [32, 0])
        total: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.muls(half, 0.5)
        stored: pl.Tensor[[512, 128], pl.FP32] = pl.tile.store(total, [0, 0], out)
        return stored
