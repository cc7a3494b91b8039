if vim.g.loaded_pypto_ls then return end
vim.g.loaded_pypto_ls = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('pypto_ls needs Neovim 0.10 or later', vim.log.levels.ERROR)
  return
end

vim.filetype.add({ pattern = {
  ['.*/passes_dump/.*%.py'] = { 'pypto', { priority = 10 } },
  ['.*%.pypto%.py'] = { 'pypto', { priority = 10 } },
} })
vim.treesitter.language.register('python', 'pypto')

if vim.lsp.enable then
  vim.lsp.enable('pypto_ls')
else
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('pypto_ls', {}),
    pattern = { 'pypto', 'python' },
    callback = function(args) require('pypto_ls').start(args.buf) end,
  })
end
