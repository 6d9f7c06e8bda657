import { connectingPlaces } from './connecting-places.ts'
import { definitionOf, type Files } from './definitions.ts'
import type { Violation } from './import-rules.ts'
import type { Source } from './sources.ts'
import { type Node, placeOf, type Tree, treeOf } from './syntax.ts'

/** Packages that connect by purpose, or that browsers run. */
const byPurpose = ['client', 'cli', 'console', 'docs']

const connectingGlobals = /^(?:fetch|WebSocket|EventSource|XMLHttpRequest|global|globalThis)$/

/**
 * Modules that can connect, and which of their exports do. Another module of the server and the host must be silent.
 */
const connectingModules: Readonly<Record<string, RegExp>> = {
  'node:http': /^(?:request|get|Agent|ClientRequest|globalAgent)$/,
  'node:https': /./,
  'node:http2': /^connect$/,
  'node:net': /^(?:connect|createConnection|Socket|Stream)$/,
  'node:tls': /^(?:connect|TLSSocket)$/,
  // A program that is started, and a module that is loaded in another way, may connect.
  'node:child_process': /./,
  'node:module': /^(?:createRequire|default|Module|register\w*)$/,
  'node:dgram': /./,
  'node:dns': /./,
  'node:dns/promises': /./,
  '@agendajs/postgres-backend': /./,
  '@msgctl/client': /./,
  baileys: /^(?:default|makeWASocket|download\w+|fetch\w+|generateWAMessage\w*|getUrlInfo|prepareWAMessageMedia)$/,
  'https-proxy-agent': /./,
  knex: /./,
  nodemailer: /./,
  openai: /./,
  'openid-client': /./,
  pg: /./,
  'prom-client': /^Pushgateway$/,
  'socks-proxy-agent': /./,
  stripe: /./,
  undici: /./,
  ws: /./,
}

/** Modules that connect to nothing by themselves. */
const silentModules = [
  '@asteasolutions/zod-to-openapi',
  '@koa/router',
  '@modelcontextprotocol/server',
  '@msgctl/contract',
  '@msgctl/contract/issues',
  '@msgctl/contract/openapi',
  '@msgctl/embedded-postgres',
  '@node-rs/argon2',
  'agenda',
  'baileys/lib/Utils/tc-token-utils.js',
  'commander',
  'content-disposition',
  'ipaddr.js',
  'koa',
  'koa-helmet',
  'libphonenumber-js/max',
  'node:async_hooks',
  'node:crypto',
  'node:diagnostics_channel',
  'node:events',
  'node:fs',
  'node:fs/promises',
  'node:os',
  'node:path',
  'node:readline',
  'node:readline/promises',
  'node:stream',
  'node:stream/consumers',
  'node:stream/promises',
  'node:timers/promises',
  'node:util',
  'node:zlib',
  'otpauth',
  'pino',
  'proxy-addr',
  'qrcode',
  'temporal-polyfill',
  'tinyld/light',
  'uuid',
  'zod',
]

/** Returns what opens connections outside of the named places, and places that open none any more. */
export function strayConnections(sources: readonly Source[]): Violation[] {
  return sources
    .filter(({ pack, forTests }) => !forTests && !byPurpose.includes(pack))
    .flatMap((source) => {
      const tree = treeOf(source)
      const found = tree.nodes.flatMap((node) =>
        connectionsAt(tree, node).map((what) => ({ what, place: placeOf(tree, node) })),
      )
      const unknown = tree.nodes.flatMap((node) => {
        return loadedBy(node)
          .filter(({ module }) => !isKnown(module))
          .map(({ module }) => `${placeOf(tree, node)} loads ${module}: say in test/connections.ts whether it connects`)
      })
      const uses = connectingPlaces[source.file]?.uses ?? []
      const stray = found
        .filter(({ what }) => !uses.includes(what))
        .map(
          ({ what, place }) => `${place} connects by ${what}: only files in test/connecting-places.ts that name it may`,
        )
      const needless = uses
        .filter((use) => !found.some(({ what }) => what === use))
        .map((use) => `${source.file} does not connect by ${use}: remove it from test/connecting-places.ts`)
      return [...stray, ...needless, ...unknown]
    })
}

function isKnown(module: string): boolean {
  return /^(?:[.#]|@msgctl\/network\/)/.test(module) || module in connectingModules || silentModules.includes(module)
}

function connectionsAt(tree: Tree, node: Node): string[] {
  if (node.type === 'Identifier')
    return node.name === 'getBuiltinModule' || isGlobalUse(tree, node, node.name) ? [node.name] : []
  return loadedBy(node).flatMap(({ module, names }) => {
    const connects = connectingModules[module]
    // Without names the whole module is there.
    return names
      .filter((name) => name === '*' || connects?.test(name))
      .flatMap((name) => (connects === undefined ? [] : [`${name} of ${module}`]))
  })
}

const noFiles: Files = new Map()

/** Whether an identifier is the global of this name: not a name of the file's own, a type or a property. */
function isGlobalUse(tree: Tree, node: Node, name: string): boolean {
  if (!connectingGlobals.test(name) || definitionOf(noFiles, tree, node, name) !== undefined) return false
  const parent = tree.parents.get(node)
  if (parent === undefined || /^TS|Specifier$/.test(parent.type)) return false
  const isKey = ('key' in parent && parent.key === node) || ('property' in parent && parent.property === node)
  return !isKey || ('computed' in parent && parent.computed === true)
}

/** What a node loads from a module at run time; `*` is all of it. */
function loadedBy(node: Node): { module: string; names: string[] }[] {
  if (node.type === 'ImportExpression') {
    return [{ module: node.source.type === 'Literal' ? String(node.source.value) : 'what is computed', names: ['*'] }]
  }
  if (node.type === 'ExportAllDeclaration' && node.exportKind !== 'type')
    return [{ module: node.source.value, names: ['*'] }]
  if (node.type === 'ExportNamedDeclaration' && node.source !== null && node.exportKind !== 'type')
    return [{ module: node.source.value, names: ['*'] }]
  if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return []
  const names = node.specifiers.flatMap((each) => {
    if (each.type === 'ImportNamespaceSpecifier') return ['*']
    if (each.type === 'ImportDefaultSpecifier') return ['default']
    if (each.importKind === 'type') return []
    return [each.imported.type === 'Identifier' ? each.imported.name : '*']
  })
  return node.specifiers.length > 0 && names.length === 0 ? [] : [{ module: node.source.value, names }]
}
