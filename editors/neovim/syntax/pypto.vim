" Python, with the words of the IR that matter for memory.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/python.vim
unlet! b:current_syntax
syntax match pyptoOp /\<pl\.\%(tile\|system\|tensor\)\.\w\+/hs=s+3
syntax match pyptoSpace /\<pl\.\%(Mem\|MemorySpace\)\.\w\+/hs=s+3
syntax match pyptoType /\<pl\.\%(Tile\|Tensor\|TileView\|TensorView\|Scalar\|Ptr\|Out\|InOut\|MemRef\)\>/hs=s+3
syntax match pyptoDtype /\<pl\.\%(FP\|BF\|U\?INT\)\d\+\>/hs=s+3
syntax match pyptoBuffer /\<mem_\l\+_\d\+\>/
highlight default link pyptoOp Function
highlight default link pyptoSpace Constant
highlight default link pyptoType Type
highlight default link pyptoDtype StorageClass
highlight default link pyptoBuffer Identifier
let b:current_syntax = 'pypto'
