import { afterAll, afterEach } from 'vitest'
import { closeFile, openFile } from './cleanup.ts'
import { watchedRows } from './rows/watch.ts'

const rows = watchedRows()

// This runs before each test file; its hook, given first, is called last.
openFile()
afterAll(closeFile, 60_000)
afterAll(() => rows.finish())
afterEach(() => rows.requireDeclared())
