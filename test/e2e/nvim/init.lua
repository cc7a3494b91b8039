-- The user's init.lua of the test: nothing but what the plugin's page says (the plugin is in the packages folder).
vim.opt.swapfile = false
vim.opt.shadafile = 'NONE'
vim.opt.shortmess:append('I')
vim.o.wrap = false
