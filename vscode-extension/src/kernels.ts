/** looksLikeKernel tells whether a Python text may hold kernel IR, so that the server is worth starting for it. */
export function looksLikeKernel(text: string): boolean {
  return /^\s*(?:import\s+pypto\b|from\s+pypto\b)/m.test(text) || /^# pypto\.program:/m.test(text);
}
