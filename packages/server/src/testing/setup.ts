import { afterAll } from 'vitest'
import { closeFile, openFile } from './cleanup.ts'

// This runs before each test file; its hook, given first, is called last.
openFile()
afterAll(closeFile, 60_000)
