-- The buffer's commands: :PyptoPlatform :PyptoPlanner :PyptoIR :PyptoPlan :PyptoCompare :PyptoMap
local views = require('pypto_ls.views')
local M = {}

local defaults = {
  platforms = { 'Ascend910B', 'Ascend950' },
  planners = { 'PYPTO', 'DSA_RP', 'PTOAS' },
  passes = { 'MaterializeTensorStrides', 'InitMemRef', 'MaterializeSemanticAliases', 'MemoryReuse', 'AllocateMemoryAddr' },
}

-- What the server says it has, under capabilities.experimental.pypto.
local function known(client, what)
  local experimental = client.server_capabilities.experimental
  return type(experimental) == 'table' and experimental.pypto and experimental.pypto[what] or defaults[what]
end

local function starting_with(lead, all)
  return vim.tbl_filter(function(s) return s:lower():sub(1, #lead) == lead:lower() end, all)
end

local function switch(client, bufnr, command, key, list, name)
  local function go(picked)
    if not picked then return end
    views.execute(client, bufnr, command, { [key] = picked }, function(r)
      vim.notify(('pypto_ls: %s, %s'):format(r.platform, r.planner))
      vim.lsp.inlay_hint.enable(false, { bufnr = bufnr }) -- asks for the hints anew, whether the server refreshes or not
      vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
      views.refresh(vim.uri_from_bufnr(bufnr))
    end)
  end
  if name ~= '' then go(name) else vim.ui.select(known(client, list), { prompt = key }, go) end
end

local function title(bufnr) return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t') end
local function document(bufnr) return vim.lsp.util.make_text_document_params(bufnr) end

local function show_ir(client, bufnr, pass)
  views.open(('pypto-ir://after/%s/%s'):format(pass, title(bufnr)), 'pypto', bufnr, function(fill)
    views.ask(client, bufnr, 'pypto/irAfter', { textDocument = document(bufnr), pass = pass }, function(r)
      fill(r.error and r.error ~= vim.NIL and ('# %s\n# The IR after %s, the last pass that worked:\n%s'):format(r.error, r.pass, r.text) or r.text)
    end)
  end)
end

local function show_table(client, bufnr, kind, command)
  views.open(('pypto-plan://%s/%s'):format(kind, title(bufnr)), '', bufnr, function(fill)
    views.execute(client, bufnr, command, { uri = document(bufnr).uri }, function(r) fill(r.text) end)
  end)
end

--- Draws the buffer's text as it is, saved or not, and calls `done` with the page's file name.
function M.write_map(client, bufnr, done)
  views.ask(client, bufnr, 'pypto/status', { textDocument = document(bufnr) }, function(status)
    local dir = vim.fn.tempname()
    vim.fn.mkdir(dir, 'p')
    local input, output = dir .. '/' .. title(bufnr), dir .. '/map.html'
    vim.fn.writefile(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), input)
    local server = require('pypto_ls').options.cmd[1]
    local args = { server, 'map', '--platform', status.platform, '--planner', status.planner, '-o', output, input }
    vim.system(args, { text = true }, vim.schedule_wrap(function(r)
      vim.fn.delete(input)
      if vim.fn.filereadable(output) == 0 then
        vim.notify('pypto_ls: ' .. (r.stderr ~= '' and r.stderr or 'no map was written'), vim.log.levels.ERROR)
      else
        done(output)
      end
    end))
  end)
end

local function show_map(client, bufnr)
  local line = vim.api.nvim_win_get_cursor(0)[1]
  M.write_map(client, bufnr, function(file) vim.ui.open(vim.uri_from_fname(file) .. '#L' .. line) end)
end

function M.create(client, bufnr)
  local function command(name, opts, run)
    vim.api.nvim_buf_create_user_command(bufnr, name, function(a) run(a.args) end, opts)
  end
  local function among(list) return function(lead) return starting_with(lead, known(client, list)) end end
  command('PyptoPlatform', { nargs = '?', complete = among('platforms'), desc = 'Plan for another platform' },
    function(name) switch(client, bufnr, 'pypto-ls.switchPlatform', 'platform', 'platforms', name) end)
  command('PyptoPlanner', { nargs = '?', complete = among('planners'), desc = 'Plan with another planner' },
    function(name) switch(client, bufnr, 'pypto-ls.switchPlanner', 'planner', 'planners', name) end)
  command('PyptoIR', { nargs = '?', complete = among('passes'), desc = 'Show the IR after a pass' }, function(pass)
    if pass ~= '' then return show_ir(client, bufnr, pass) end
    vim.ui.select(known(client, 'passes'), { prompt = 'IR after' }, function(p) if p then show_ir(client, bufnr, p) end end)
  end)
  command('PyptoPlan', { desc = 'Show the placement table' }, function() show_table(client, bufnr, 'table', 'pypto-ls.placementTable') end)
  command('PyptoCompare', { desc = 'Compare the planners' }, function() show_table(client, bufnr, 'compare', 'pypto-ls.comparePlanners') end)
  command('PyptoMap', { desc = 'Open the memory map in the browser' }, function() show_map(client, bufnr) end)
end

return M
