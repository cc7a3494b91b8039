local M = {}

function M.check()
  local health = vim.health
  health.start('pypto_ls')
  if vim.fn.has('nvim-0.10') == 1 then
    health.ok(('Neovim %s, %s'):format(tostring(vim.version()), vim.lsp.enable and 'by vim.lsp.enable' or 'by vim.lsp.start'))
  else
    health.error('Neovim 0.10 or later is needed')
    return
  end
  local server = require('pypto_ls').options.cmd[1]
  if vim.fn.executable(server) == 0 then
    health.error(('the server "%s" is not found'):format(server), { 'install pypto-ls and put it in PATH', "or: require('pypto_ls').setup({ cmd = { '/path/to/pypto-ls', 'serve' } })" })
  else
    local r = vim.system({ server, 'version' }, { text = true }):wait(5000)
    if r.code == 0 then health.ok(vim.trim(r.stdout) .. ' (' .. vim.fn.exepath(server) .. ')') else health.error('the server does not answer `version`: ' .. vim.trim(r.stderr or '')) end
  end
  local clients = vim.lsp.get_clients({ name = 'pypto_ls' })
  if #clients == 0 then
    health.info('no buffer is attached: open a file of passes_dump/, a *.pypto.py or a Python file that imports pypto')
  end
  for _, c in ipairs(clients) do
    health.ok(('client %d, root %s, encoding %s, %d buffers'):format(c.id, c.config.root_dir or 'none', c.offset_encoding, vim.tbl_count(c.attached_buffers or {})))
  end
end

return M
