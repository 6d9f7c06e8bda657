// The parts that generate.mjs uses of the generators, which only this folder installs.

declare module '@hey-api/openapi-ts' {
  export function createClient(config: object): Promise<unknown>
}

declare module 'openapi-typescript' {
  export default function openapiTypescript(document: URL): Promise<object[]>
  export function astToString(nodes: object[]): string
}

declare module 'orval' {
  export function generate(options: object): Promise<void>
}

declare module 'quicktype-core' {
  export class FetchingJSONSchemaStore {}
  export class JSONSchemaInput {
    constructor(store: FetchingJSONSchemaStore)
    addSource(source: { name: string; schema: string; uris: string[] }): Promise<void>
  }
  export class InputData {
    addInput(input: JSONSchemaInput): void
  }
  export function quicktype(options: {
    inputData: InputData
    lang: string
    rendererOptions: Record<string, string>
  }): Promise<{ lines: string[] }>
}
