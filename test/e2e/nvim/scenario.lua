-- Drives a headless Neovim with the plugin against the server and prints one JSON object; exit code 0 = all held.
-- env: E2E_EXPECT (expect.json of workspace.mjs), E2E_SERVER (the pypto-ls program, also first in PATH)
local expect = vim.json.decode(table.concat(vim.fn.readfile(os.getenv('E2E_EXPECT')), '\n'))
local res = { ok = false, steps = {} }

local function step(name, ok, value)
  table.insert(res.steps, { name = name, ok = ok and true or false, value = value })
  if not ok then error('step failed: ' .. name .. ' ' .. vim.inspect(value), 0) end
end
local function wait(f) return vim.wait(30000, f, 20) end
local function open(file)
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  return vim.api.nvim_get_current_buf()
end
local function client(buf) return vim.lsp.get_clients({ bufnr = buf, name = 'pypto_ls' })[1] end
local function errors(buf) return vim.diagnostic.get(buf, { severity = vim.diagnostic.severity.ERROR }) end
local function brief(ds) return vim.tbl_map(function(d) return { d.lnum + 1, d.code, d.message } end, ds) end

-- The text of the hints that stand on a line.
local function hint_text(buf, line)
  local out = {}
  for _, h in ipairs(vim.lsp.inlay_hint.get({ bufnr = buf })) do
    if h.inlay_hint.position.line == line - 1 then
      local l = h.inlay_hint.label
      table.insert(out, type(l) == 'string' and l or table.concat(vim.tbl_map(function(p) return p.value end, l)))
    end
  end
  return table.concat(out, ' ')
end
local function address(buf, line) return tonumber(hint_text(buf, line):match('0x(%x+)') or '', 16) end

local function has(buf, text) return vim.iter(errors(buf)):any(function(d) return d.message:find(text, 1, true) == 1 end) end

local function recorded_addresses()
  local buf = open(expect.ring.file)
  step('filetype', vim.bo[buf].filetype == 'pypto', vim.bo[buf].filetype)
  step('attached', wait(function() return client(buf) ~= nil and client(buf).initialized end))
  local wrong
  wait(function()
    wrong = {}
    for _, t in ipairs(expect.ring.tiles) do
      if address(buf, t.line) ~= t.address or not hint_text(buf, t.line):find(t.space, 1, true) then
        table.insert(wrong, { t.line, t.name, ('want %s 0x%X'):format(t.space, t.address), hint_text(buf, t.line) })
      end
    end
    return #wrong == 0
  end)
  step('recorded addresses of ' .. #expect.ring.tiles .. ' tiles', #wrong == 0, wrong[1])
  local t = expect.ring.tiles[1]
  vim.api.nvim_win_set_cursor(0, { t.line, (vim.api.nvim_buf_get_lines(buf, t.line - 1, t.line, true)[1]:find(t.name, 1, true)) - 1 })
  local h = vim.lsp.buf_request_sync(buf, 'textDocument/hover', vim.lsp.util.make_position_params(0, client(buf).offset_encoding), 5000)
  local _, answer = next(h or {})
  local text = answer and answer.result and (answer.result.contents.value or vim.inspect(answer.result.contents)) or ''
  step('hover tells the space', text:find(t.space, 1, true) ~= nil, text:sub(1, 200))
end

local function edit_and_switch()
  local buf, e = open(expect.edit.file), expect.edit
  step('addresses before the edit', wait(function() return address(buf, e.lines.a) == e.before.a and address(buf, e.lines.b) == e.before.b end), { hint_text(buf, e.lines.a), hint_text(buf, e.lines.b) })
  step('no error before the edit', #errors(buf) == 0, brief(errors(buf)))
  vim.cmd([[%s/\[64, 64\]/[64, 384]/g]])
  step('the edit overflows', wait(function() return has(buf, e.message) end), brief(vim.diagnostic.get(buf)))
  step('addresses after the edit', wait(function() return address(buf, e.lines.a) == e.after.a and address(buf, e.lines.b) == e.after.b end), { hint_text(buf, e.lines.a), hint_text(buf, e.lines.b) })
  vim.cmd('PyptoPlatform Ascend950')
  step('Ascend950 has room', wait(function() return #errors(buf) == 0 end), brief(errors(buf)))
  vim.cmd('PyptoPlatform Ascend910B')
  step('and Ascend910B has not', wait(function() return has(buf, e.message) end), brief(errors(buf)))
  return buf
end

local function views(buf)
  local function view(name)
    local found
    wait(function()
      for _, b in ipairs(vim.api.nvim_list_bufs()) do
        if vim.api.nvim_buf_get_name(b):find(name, 1, true) and vim.api.nvim_buf_line_count(b) > 1 then found = b end
      end
      return found ~= nil
    end)
    return found
  end
  local text = function(b) return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\n') .. '\n' end
  vim.cmd('undo')
  vim.cmd('PyptoIR InitMemRef')
  local ir = view('pypto-ir://after/InitMemRef/')
  step('IR after a pass opens', ir ~= nil and vim.bo[ir].filetype == 'pypto')
  local file = vim.fn.tempname() .. '/31_after_MaterializeTensorStrides.py'
  vim.fn.mkdir(vim.fs.dirname(file), 'p')
  local function same()
    vim.fn.writefile(vim.api.nvim_buf_get_lines(buf, 0, -1, false), file)
    local r = vim.system({ os.getenv('E2E_SERVER'), 'ir', '--after', 'InitMemRef', file }, { text = true }):wait()
    return r.code == 0 and r.stdout == text(ir), r.stdout
  end
  step('it equals the command line', wait(same), { select(2, same()), text(ir) })
  vim.cmd([[%s/\[64, 64\]/[64, 128]/g]])
  step('it follows the source', wait(function() return text(ir):find('[64, 128]', 1, true) and same() end), text(ir))
  vim.cmd('PyptoPlan')
  local plan = view('pypto-plan://table/')
  step('the placement table opens', plan and wait(function() return text(plan):find('Vec', 1, true) ~= nil end), plan and text(plan))
  local shown
  vim.ui.open = function(what) shown = what end
  vim.cmd('PyptoMap')
  step('the memory map is written', wait(function() return shown ~= nil end), shown)
  local page = table.concat(vim.fn.readfile(vim.uri_to_fname((shown:gsub('#.*', '')))), '\n')
  local model = vim.json.decode(page:match('<script type="application/json" id="model">(.-)</script>'))
  local boxes = 0
  for _, f in ipairs(model.plans[1].functions) do for _, s in ipairs(f.spaces) do boxes = boxes + #s.boxes end end
  step('it holds the two buffers, at a line', boxes == 2 and shown:match('#L%d+$') ~= nil, boxes)
end

local function quick_fix()
  local buf, e = open(expect.overflow.file), expect.overflow
  step('the recorded overflow', wait(function() return has(buf, e.message) end), brief(vim.diagnostic.get(buf)))
  local d = errors(buf)[1]
  vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })
  local before = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
  vim.lsp.buf.code_action({ apply = true, context = { only = { 'quickfix' }, diagnostics = vim.lsp.diagnostic.from and vim.lsp.diagnostic.from({ d }) or { d.user_data.lsp } },
    filter = function(a) return a.isPreferred == true end })
  step('the preferred fix changes the ring', wait(function() return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') ~= before end))
  step('and the overflow is gone', wait(function() return #errors(buf) == 0 end), brief(errors(buf)))
end

local function ordinary()
  local buf = open(expect.ordinary.file)
  step('ordinary Python stays Python, without a server', vim.bo[buf].filetype == 'python' and client(buf) == nil)
end

local function health()
  vim.cmd('checkhealth pypto_ls')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  step('checkhealth finds nothing wrong', text:find('OK', 1, true) and not text:find('ERROR', 1, true), text)
  vim.cmd('bwipeout')
  step('help is there', pcall(vim.cmd, 'helptags ALL | help :PyptoMap'), '')
  vim.cmd('helpclose')
end

vim.api.nvim_create_autocmd('VimEnter', { once = true, callback = function() vim.schedule(function()
  local ok, err = xpcall(function()
    recorded_addresses()
    views(edit_and_switch())
    quick_fix()
    ordinary()
    health()
  end, function(e) return tostring(e) end)
  res.ok, res.err, res.version = ok, err, tostring(vim.version())
  io.stdout:write(vim.json.encode(res) .. '\n')
  io.stdout:flush()
  for _, c in ipairs(vim.lsp.get_clients()) do vim.lsp.stop_client(c.id) end
  vim.wait(1500, function() return #vim.lsp.get_clients() == 0 end, 10)
  vim.cmd(ok and 'qall!' or 'cquit! 1')
end) end })
