-- Client of pypto-ls for Neovim 0.10 and later. See :help pypto_ls.
local M = {}

M.options = {
  cmd = { 'pypto-ls', 'serve' },
  inlay_hints = true, -- show addresses as soon as the server is attached
  settings = {}, -- what stands under "pypto-ls" in the server's settings
  split = 'vertical', -- where :PyptoIR and :PyptoPlan open: a modifier such as "vertical", "botright", "tab"
}

M.root_markers = { 'pypto-ls.toml', 'passes_dump', '.git' }

--- Sets options; to be called before the first kernel is opened.
function M.setup(opts)
  M.options = vim.tbl_deep_extend('force', M.options, opts or {})
  if vim.lsp.config then vim.lsp.config('pypto_ls', M.config()) end
end

--- Whether the buffer may hold kernel IR: dumps always, Python files when they import pypto.
function M.is_kernel(bufnr)
  if vim.bo[bufnr].buftype ~= '' then return false end
  if vim.bo[bufnr].filetype == 'pypto' then return true end
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, 200, false)) do
    if line:match('^%s*import%s+pypto%f[^%w_]') or line:match('^%s*from%s+pypto%f[^%w_]') or line:match('^# pypto%.program:') then return true end
  end
  return false
end

--- The folder that is taken for the workspace of the buffer.
function M.root(bufnr)
  return vim.fs.root(bufnr, M.root_markers) or vim.fs.dirname(vim.api.nvim_buf_get_name(bufnr))
end

local function capabilities()
  local c = vim.lsp.protocol.make_client_capabilities()
  c.experimental = vim.tbl_deep_extend('force', c.experimental or {}, { pypto = { planChanged = true } })
  return c
end

local function on_attach(client, bufnr)
  if M.options.inlay_hints then vim.lsp.inlay_hint.enable(true, { bufnr = bufnr }) end
  require('pypto_ls.commands').create(client, bufnr)
end

--- The client's configuration: for vim.lsp.start, and (0.11 and later) for vim.lsp.config.
function M.config()
  local settings = vim.tbl_isempty(M.options.settings) and vim.empty_dict() or M.options.settings
  return {
    name = 'pypto_ls',
    cmd = M.options.cmd,
    filetypes = { 'pypto', 'python' },
    root_markers = M.root_markers,
    capabilities = capabilities(),
    settings = { ['pypto-ls'] = settings },
    init_options = settings,
    get_language_id = function(_, filetype) return filetype == 'pypto' and 'pypto-ir' or filetype end,
    handlers = {
      ['pypto/planChanged'] = function(_, params) require('pypto_ls.views').refresh(params.uri) end,
    },
    on_attach = on_attach,
  }
end

--- Starts the server for the buffer, or attaches it to the one that runs (Neovim 0.10).
function M.start(bufnr)
  if not M.is_kernel(bufnr) then return end
  local config = M.config()
  config.root_dir = M.root(bufnr)
  vim.lsp.start(config, { bufnr = bufnr })
end

return M
