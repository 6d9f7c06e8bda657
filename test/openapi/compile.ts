import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

const typescript = createRequire(path.join(import.meta.dirname, '../../package.json')).resolve(
  'typescript/package.json',
)

/**
 * Returns what the compiler of the product finds wrong with programs, which are given by the names of their files. They
 * see the packages of the product in their sources.
 */
export async function typeErrors(name: string, programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(import.meta.dirname, 'generated', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(programs)) await writeFile(path.join(folder, `${file}.ts`), text)
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    lib: ['es2023', 'dom'],
    customConditions: ['@msgctl/source'],
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  }
  const project = { extends: '../../../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(project))
  try {
    await promisify(execFile)(process.execPath, [path.join(typescript, '../bin/tsc'), '-p', folder])
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
