if vim.b.did_ftplugin then return end
vim.b.did_ftplugin = 1
vim.bo.commentstring = '# %s'
vim.bo.expandtab, vim.bo.shiftwidth, vim.bo.softtabstop = true, 4, 4
vim.bo.suffixesadd = '.py'
vim.b.undo_ftplugin = 'setlocal commentstring< expandtab< shiftwidth< softtabstop< suffixesadd<'
