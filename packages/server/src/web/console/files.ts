import path from 'node:path'

/**
 * Where the built console lies, the first that exists: beside the bundle, which has a copy, or in its own package. The
 * sources, the compiled modules and the bundle are as far from that package as each other.
 */
export const consoleFolders: readonly string[] = [
  path.join(import.meta.dirname, 'console'),
  path.join(import.meta.dirname, '../../../../console/dist/site'),
]
