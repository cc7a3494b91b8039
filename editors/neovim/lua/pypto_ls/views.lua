-- Windows beside the source: the IR after a pass, the placement table. They follow the source's plan.
local M = {}

local views = {} -- buffer of a view -> { source = uri, render = function(done) }

--- The client attached to the buffer; nil with a message when there is none.
function M.client(bufnr)
  local client = vim.lsp.get_clients({ bufnr = bufnr, name = 'pypto_ls' })[1]
  if not client then vim.notify('pypto_ls is not attached to this buffer', vim.log.levels.WARN) end
  return client
end

-- Client methods take self from 0.11 on.
local function request(client, method, params, handler, bufnr)
  if vim.fn.has('nvim-0.11') == 1 then return client:request(method, params, handler, bufnr) end
  return client.request(method, params, handler, bufnr)
end

--- Asks the server; `done` gets the result, an error is shown.
function M.ask(client, bufnr, method, params, done)
  request(client, method, params, function(err, result)
    if err then
      vim.notify('pypto_ls: ' .. (err.message or vim.inspect(err)), vim.log.levels.ERROR)
    elseif result then
      done(result)
    end
  end, bufnr)
end

function M.execute(client, bufnr, command, argument, done)
  M.ask(client, bufnr, 'workspace/executeCommand', { command = command, arguments = { argument } }, done)
end

local function fill(buf, text)
  if not vim.api.nvim_buf_is_valid(buf) then return end
  local lines = vim.split(text, '\n', { plain = true })
  if lines[#lines] == '' then table.remove(lines) end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

--- Opens (or shows again) the view `name` of `source`. `render` is called with a function that takes the text.
function M.open(name, filetype, source, render)
  local buf = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?\\^$') .. '$')
  if buf == -1 then
    buf = vim.api.nvim_create_buf(true, true)
    vim.api.nvim_buf_set_name(buf, name)
    vim.bo[buf].buftype, vim.bo[buf].swapfile, vim.bo[buf].modifiable = 'nofile', false, false
    vim.bo[buf].filetype = filetype
    vim.api.nvim_create_autocmd('BufWipeout', { buffer = buf, callback = function() views[buf] = nil end })
  end
  views[buf] = { source = vim.uri_from_bufnr(source), render = render }
  if vim.fn.bufwinid(buf) == -1 then
    local back = vim.api.nvim_get_current_win()
    vim.cmd(require('pypto_ls').options.split .. ' sbuffer ' .. buf)
    vim.wo.wrap = false
    vim.api.nvim_set_current_win(back)
  end
  render(function(text) fill(buf, text) end)
  return buf
end

--- Renders again the views of a document whose plan has changed.
function M.refresh(uri)
  for buf, view in pairs(views) do
    if not vim.api.nvim_buf_is_valid(buf) then
      views[buf] = nil
    elseif view.source == uri then
      view.render(function(text) fill(buf, text) end)
    end
  end
end

return M
