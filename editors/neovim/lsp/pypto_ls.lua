-- Found by vim.lsp.enable('pypto_ls') of Neovim 0.11 and later.
local pypto = require('pypto_ls')
local config = pypto.config()
config.root_dir = function(bufnr, on_dir)
  if pypto.is_kernel(bufnr) then on_dir(pypto.root(bufnr)) end
end
return config
