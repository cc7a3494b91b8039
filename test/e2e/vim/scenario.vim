" Drives Vim in silent mode with the page's vimrc; prints one JSON object, exit code 0 = all held.
let s:expect = json_decode(join(readfile($E2E_EXPECT), "\n"))
let s:steps = []
function! s:step(name, ok, value) abort
  call add(s:steps, {'name': a:name, 'ok': a:ok ? v:true : v:false, 'value': a:value})
  if !a:ok | throw 'step failed: ' . a:name | endif
endfunction
function! s:wait(F) abort
  for l:i in range(600)
    if a:F() | return 1 | endif
    sleep 50m
  endfor
  return 0
endfunction
function! s:messages() abort
  return map(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.text')
endfunction
function! s:has(text) abort
  return !empty(filter(s:messages(), {_, m -> stridx(m, a:text) >= 0}))
endfunction
function! s:run() abort
  execute 'edit' fnameescape(s:expect.edit.file)
  call s:step('dumps have the server alone', b:ale_linters == ['pypto_ls'], b:ale_linters)
  call s:wait({-> has_key(b:, 'ale_linted') && b:ale_linted > 0})
  silent %s/\[64, 64\]/[64, 384]/g
  call ale#Queue(0)
  call s:step('the edit overflows', s:wait({-> s:has(s:expect.edit.message)}), s:messages())
  silent %s/\[64, 384\]/[64, 64]/g
  call ale#Queue(0)
  call s:step('and back it does not', s:wait({-> !s:has('exceeds platform limit')}), s:messages())
  PyptoPlan
  call s:step('the placement table', search('\<b \+Vec \+0x0*4000\>') > 0, getline(1, '$'))
  bwipeout
  PyptoIR InitMemRef
  call s:step('the IR after a pass', search('mem_vec_\d\+: pl.Ptr = pl.tile.alloc') > 0, getline(1, '$'))
  bwipeout
  execute 'edit!' fnameescape(s:expect.overflow.file)
  call s:step('the recorded overflow', s:wait({-> s:has(s:expect.overflow.message[:80])}), s:messages())
endfunction
function! s:main() abort
  let l:err = ''
  try
    call s:run()
  catch
    let l:err = v:exception . ' ' . v:throwpoint
  endtry
  call writefile([json_encode({'ok': l:err ==# '' ? v:true : v:false, 'err': l:err, 'steps': s:steps})], $E2E_RESULT)
  if l:err ==# '' | qall! | else | cquit | endif
endfunction
autocmd VimEnter * call timer_start(50, {-> s:main()})
