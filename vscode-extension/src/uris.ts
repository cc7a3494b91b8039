// Addresses of the virtual documents. The document that they are made from stands in the query, so that the
// tab shows a readable name; the name's end makes VS Code take the IR for pypto-ir.
export const IR_SCHEME = 'pypto-ir', PLAN_SCHEME = 'pypto-plan';

export interface Parts { scheme: string; path: string; query: string }

const base = (uriPath: string) => (uriPath.split('/').pop() || 'kernel').replace(/(\.pypto)?\.py$/, '');

export function irParts(uri: string, uriPath: string, pass: string): Parts {
  return { scheme: IR_SCHEME, path: `/after/${pass}/${base(uriPath)}.${pass}.pypto.py`, query: uri };
}
export function tableParts(uri: string, uriPath: string, kind: 'table' | 'compare'): Parts {
  return { scheme: PLAN_SCHEME, path: `/${kind}/${base(uriPath)}.${kind === 'table' ? 'placement' : 'planners'}.txt`, query: uri };
}

/** passOf reads a pass from the path of an IR document. */
export const passOf = (path: string) => path.split('/')[2] ?? '';
export const kindOf = (path: string) => path.split('/')[1] ?? '';
