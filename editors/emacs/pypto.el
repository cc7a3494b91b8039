;;; pypto.el --- PyPTO kernel IR: addresses of every tile, by eglot  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages, tools

;;; Commentary:

;; Starts the language server pypto-ls for dumps of the PyPTO compiler and gives its own requests a command
;; each.  README.md beside this file says how to install it.

;;; Code:

(require 'eglot)
(require 'jsonrpc)
(require 'python)

(defgroup pypto nil "PyPTO kernel IR." :group 'languages)
(defcustom pypto-server '("pypto-ls" "serve") "The server's command line." :type '(repeat string))

(defvar pypto-platforms '("Ascend910B" "Ascend950"))
(defvar pypto-planners '("PYPTO" "DSA_RP" "PTOAS"))
(defvar pypto-passes '("MaterializeTensorStrides" "InitMemRef" "MaterializeSemanticAliases" "MemoryReuse" "AllocateMemoryAddr"))

;;;###autoload
(define-derived-mode pypto-ir-mode python-mode "PyPTO"
  "IR of PyPTO kernels: Python's syntax, served by pypto-ls.")

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("/passes_dump/[^/]*\\.py\\'" . pypto-ir-mode))
  (add-to-list 'auto-mode-alist '("\\.pypto\\.py\\'" . pypto-ir-mode)))

(add-to-list 'eglot-server-programs `((pypto-ir-mode :language-id "pypto-ir") . ,pypto-server))

(defun pypto--start ()
  "Start the server for a buffer that visits a file."
  (when buffer-file-name (eglot-ensure)))
(add-hook 'pypto-ir-mode-hook #'pypto--start)

(defun pypto--server ()
  "The server of the buffer, or an error."
  (or (eglot-current-server) (user-error "No server is attached to this buffer")))

(defun pypto--sync ()
  "Send edits that eglot still holds back."
  (eglot--signal-textDocument/didChange))

(defun pypto--known (what default)
  "What the server says it has under WHAT, else DEFAULT."
  (let ((list (plist-get (plist-get (eglot--server-capable :experimental) :pypto) what)))
    (if (seq-empty-p list) default (append list nil))))

(defun pypto--uri () (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun pypto--execute (command &rest argument)
  "Run the server's COMMAND with ARGUMENT, a property list, and return the answer."
  (pypto--sync)
  (jsonrpc-request (pypto--server) :workspace/executeCommand (list :command command :arguments (vector argument))))

(defun pypto--switch (command key value)
  (let ((r (pypto--execute command key value)))
    (message "pypto-ls: %s, %s" (plist-get r :platform) (plist-get r :planner))
    (when (bound-and-true-p eglot-inlay-hints-mode) (eglot-inlay-hints-mode -1) (eglot-inlay-hints-mode 1))))

;;;###autoload
(defun pypto-platform (name)
  "Plan for platform NAME."
  (interactive (list (completing-read "Platform: " (pypto--known :platforms pypto-platforms) nil t)))
  (pypto--switch "pypto-ls.switchPlatform" :platform name))

;;;###autoload
(defun pypto-planner (name)
  "Plan with planner NAME."
  (interactive (list (completing-read "Planner: " (pypto--known :planners pypto-planners) nil t)))
  (pypto--switch "pypto-ls.switchPlanner" :planner name))

(defun pypto--view (name mode read)
  "Show in another window the buffer NAME, in MODE, with the text that READ returns in this buffer."
  (let* ((source (current-buffer)) (fill nil))
    (setq fill (lambda (&rest _)
                 (let ((text (with-current-buffer source (funcall read))) (inhibit-read-only t))
                   (erase-buffer) (insert text) (goto-char (point-min)) (set-buffer-modified-p nil))))
    (with-current-buffer (get-buffer-create name)
      (funcall mode)
      (setq buffer-read-only t truncate-lines t)
      (setq-local revert-buffer-function fill)
      (funcall fill)
      (local-set-key "g" #'revert-buffer)
      (display-buffer (current-buffer))
      (current-buffer))))

;;;###autoload
(defun pypto-ir (pass)
  "Show the IR after PASS."
  (interactive (list (completing-read "IR after: " (pypto--known :passes pypto-passes) nil t)))
  (pypto--view (format "*%s after %s*" (buffer-name) pass) #'pypto-ir-mode
               (lambda ()
                 (pypto--sync)
                 (let ((r (jsonrpc-request (pypto--server) :pypto/irAfter (list :textDocument (eglot--TextDocumentIdentifier) :pass pass))))
                   (concat (and (plist-get r :error) (format "# %s\n" (plist-get r :error))) (plist-get r :text))))))

;;;###autoload
(defun pypto-plan ()
  "Show the placement table."
  (interactive)
  (pypto--view (format "*%s placement*" (buffer-name)) #'fundamental-mode
               (lambda () (plist-get (pypto--execute "pypto-ls.placementTable" :uri (pypto--uri)) :text))))

;;;###autoload
(defun pypto-compare ()
  "Show the peak per space under each planner."
  (interactive)
  (pypto--view (format "*%s planners*" (buffer-name)) #'fundamental-mode
               (lambda () (plist-get (pypto--execute "pypto-ls.comparePlanners" :uri (pypto--uri)) :text))))

;;;###autoload
(defun pypto-map ()
  "Draw the memory map of the buffer's text, saved or not, and show it in the browser."
  (interactive)
  (pypto--sync)
  (let* ((status (jsonrpc-request (pypto--server) :pypto/status (list :textDocument (eglot--TextDocumentIdentifier))))
         (dir (make-temp-file "pypto-map" t))
         (input (expand-file-name (file-name-nondirectory buffer-file-name) dir))
         (output (expand-file-name "map.html" dir))
         (line (line-number-at-pos)))
    (write-region nil nil input nil 'quiet)
    (call-process (car pypto-server) nil nil nil "map" "--platform" (plist-get status :platform)
                  "--planner" (plist-get status :planner) "-o" output input)
    (delete-file input)
    (unless (file-exists-p output) (user-error "The server wrote no map"))
    (browse-url (format "file://%s#L%d" output line))
    output))

(provide 'pypto)
;;; pypto.el ends here
