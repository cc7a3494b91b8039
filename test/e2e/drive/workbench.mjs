// What a person does in the workbench, by keyboard.
export function workbench(page) {
  const until = async (what, f, ms = 60000) => {
    const end = Date.now() + ms;
    for (;;) {
      const v = await f();
      if (v) return v;
      if (Date.now() > end) throw new Error(`timeout: ${what}`);
      await page.waitForTimeout(100);
    }
  };
  const editor = (n = 0) => page.locator('.editor-instance .monaco-editor:visible').nth(n);
  // .view-line order in the DOM is not the order on screen; the gutter tells each line's number.
  const lines = (n = 0) => editor(n).evaluate((e) => {
    const byTop = (sel) => [...e.querySelectorAll(sel)].map((l) => [parseFloat(l.style.top), l]).filter(([t]) => !Number.isNaN(t)).sort((a, b) => a[0] - b[0]);
    const numbers = new Map(byTop('.margin-view-overlays > div').map(([t, l]) => [t, +l.textContent.trim() || 0]));
    const out = {};
    for (const [t, l] of byTop('.view-lines > .view-line')) { const no = numbers.get(t); if (no) out[no] = l.textContent.replaceAll('\u00a0', ' '); }
    return out;
  });
  // Enter takes the row that has the focus, which follows the filter a moment later than the rows do.
  const focused = (text) => page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text }).first().waitFor();
  // ask opens the box that a key opens. A key pressed while the focus moves (from a webview, say) is lost: press again.
  const ask = (key) => until(`the box of ${key}`, async () => {
    await page.keyboard.press(key);
    return page.locator('.quick-input-widget input').first().waitFor({ timeout: 4000 }).then(() => true, () => false);
  });
  // focusEditor gives the first group of editors the focus, and waits for it.
  const focusEditor = () => until('the focus in the editor', async () => {
    await page.keyboard.press('Control+1');
    return page.locator('.editor-instance .monaco-editor.focused').first().waitFor({ timeout: 2000 }).then(() => true, () => false);
  });
  const command = async (name) => {
    await ask('F1');
    await page.keyboard.type(name);
    await focused(name);
    await page.keyboard.press('Enter');
  };
  const pick = async (label) => {
    await page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().waitFor();
    await page.keyboard.type(label);
    await focused(label);
    await page.keyboard.press('Enter');
  };
  // Files of one name differ by their folder only, and the list first shows what was open lately: the row must name the folder and have the focus.
  const open = async (file) => { // a path relative to the folder
    const name = file.split('/').pop(), dir = file.slice(0, -name.length - 1);
    await ask('Control+P');
    await page.keyboard.type(file);
    const row = page.locator('.quick-input-list .monaco-list-row.focused', { has: page.locator('.label-name', { hasText: name }) });
    await (dir ? row.filter({ hasText: dir }) : row).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: name }).first().waitFor();
    for (const part of dir ? dir.split('/') : []) await page.locator('.breadcrumbs-control:visible', { hasText: part }).first().waitFor();
    await editor().waitFor();
  };
  const goTo = async (line, column = 1) => {
    await ask('Control+G');
    await page.keyboard.type(`${line}:${column}`); // the box already starts with ':'
    await page.keyboard.press('Enter');
  };
  const cursor = async () => (await page.locator('#status\\.editor\\.selection').innerText()).replace(/\s+/g, ' ');
  const replaceAll = async (from, to) => {
    const widget = page.locator('.find-widget.visible').first();
    await until('the box of Control+H', async () => {
      await page.keyboard.press('Control+H');
      return widget.waitFor({ timeout: 4000 }).then(() => true, () => false);
    });
    await widget.locator('textarea').nth(0).fill(from);
    await widget.locator('textarea').nth(1).fill(to);
    await page.waitForTimeout(200);
    await page.keyboard.press('Control+Alt+Enter');
    await page.keyboard.press('Escape');
  };
  const errors = (n = 0) => editor(n).locator('.squiggly-error').count();
  const mapFrame = () => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  return { page, until, focusEditor, editor, lines, command, pick, open, goTo, cursor, replaceAll, errors, mapFrame };
}
