import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Node, treeOf } from './syntax.ts'

/** One import, re-export or dynamic import of a file. */
export interface ImportLine {
  readonly line: number
  /** True when nothing is loaded at run time. */
  readonly typeOnly: boolean
  /** A path from the root of the repository for a file of ours, else the name of the module as it is written. */
  readonly target: string
}

/** One source file, with what its import lines say. */
export interface Source {
  /** From the root of the repository: `packages/server/src/app.ts`. */
  readonly file: string
  /** The name of its package: `server`. */
  readonly pack: string
  /** From its package's src: `api/http/serve.ts`. */
  readonly local: string
  readonly text: string
  readonly imports: readonly ImportLine[]
  /** True for tests and for what only tests use. */
  readonly forTests: boolean
}

/** Whether a file has tests itself. What only tests use is in other files. */
export function isTestFile({ file }: Pick<Source, 'file'>): boolean {
  return testFile.test(file)
}

/** The file of ours that an import names: by its place beside the importing file, or from the server's src by `#`. */
export function ownFile(file: string, module: string): string | undefined {
  if (module.startsWith('.')) return path.posix.join(path.posix.dirname(file), module)
  return module.startsWith('#') ? `packages/server/src/${module.slice(1)}` : undefined
}

/** The module that a node loads, and whether as a type only; undefined for any other node. */
function moduleOf(node: Node): { readonly module: string; readonly typeOnly: boolean } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return { module: node.source.value, typeOnly: node.importKind === 'type' }
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source ? { module: node.source.value, typeOnly: node.exportKind === 'type' } : undefined
    case 'ImportExpression':
      return node.source.type === 'Literal' ? { module: String(node.source.value), typeOnly: false } : undefined
    case 'TSImportType':
      return { module: node.source.value, typeOnly: true }
    default:
      return undefined
  }
}

/** The imports of one file, from its syntax tree. */
export function importLines(source: Pick<Source, 'file' | 'text'>): ImportLine[] {
  return treeOf(source).nodes.flatMap((node) => {
    const loaded = moduleOf(node)
    if (!loaded) return []
    const line = source.text.slice(0, node.start).split('\n').length
    return [{ line, typeOnly: loaded.typeOnly, target: ownFile(source.file, loaded.module) ?? loaded.module }]
  })
}

const testFile = /\.test(?:-d)?\.ts$/
const testSupport = /(?:^|\/)(?:test|testing|fixtures|contract-suite)\/|(?:^|\/)contract-suite\.ts$|(?:^|\/)test-[^/]+$/

/** One file as a {@link Source}. */
export function sourceOf(file: string, text: string): Source {
  const [, pack = '', , ...rest] = file.split('/')
  const local = rest.join('/')
  const forTests = testFile.test(local) || testSupport.test(local)
  let imports: ImportLine[] | undefined
  return {
    ...{ file, pack, local, text, forTests },
    // A syntax tree takes time, and most rules read none.
    get imports() {
      imports ??= importLines(this)
      return imports
    },
  }
}

/** Every source file of every package, read from the disk. */
export function readSources(root: string): Source[] {
  const packs = readdirSync(path.join(root, 'packages'))
  return packs.flatMap((pack) => readFolder(root, path.posix.join('packages', pack, 'src')))
}

/** Every source file of the gateway host, which is outside of the workspace. A file is local to the package itself. */
export function readGatewayHost(root: string): Source[] {
  return ['src', 'test']
    .flatMap((folder) => readFolder(root, `gateway-host/${folder}`))
    .map((source) => {
      const local = source.file.replace(/^gateway-host\/(?:src\/)?/, '')
      return { ...source, pack: 'gateway-host', local, forTests: testFile.test(local) || testSupport.test(local) }
    })
}

/** Every other program and test: of tools, examples, deploy, these tests, and the scripts of the packages. */
export function readPrograms(root: string): Source[] {
  const scripts = readdirSync(path.join(root, 'packages')).map((pack) => `packages/${pack}/scripts`)
  return (
    ['tools', 'examples', 'deploy', 'test', ...scripts]
      .filter((folder) => existsSync(path.join(root, folder)))
      .flatMap((folder) => readFolder(root, folder))
      // What a test makes is not in the repository.
      .filter(({ file }) => !file.includes('/generated/'))
  )
}

function readFolder(root: string, folder: string): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|m?js)$/.test(name) && !/(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(name))
    .map((name) => {
      const file = path.posix.join(folder, name.split(path.sep).join('/'))
      return sourceOf(file, readFileSync(path.join(root, file), 'utf8'))
    })
}
