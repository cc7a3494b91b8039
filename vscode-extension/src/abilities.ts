/** What the server says about itself under capabilities.experimental.pypto. */
export interface ServerAbilities { passes: string[]; platforms: string[]; planners: string[] }

/** The lists to fill menus from; a server that gives none has what the compiler has. */
export function abilities(experimental: unknown): ServerAbilities {
  const given = ((experimental as { pypto?: Partial<ServerAbilities> } | undefined)?.pypto ?? {});
  return {
    passes: given.passes ?? ['MaterializeTensorStrides', 'InitMemRef', 'MaterializeSemanticAliases', 'MemoryReuse', 'AllocateMemoryAddr'],
    platforms: given.platforms ?? ['Ascend910B', 'Ascend950'],
    planners: given.planners ?? ['PYPTO', 'DSA_RP', 'PTOAS'],
  };
}
