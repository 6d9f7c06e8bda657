import { closeFile, openFile } from '@msgctl/server/testing/cleanup'
import { afterAll } from 'vitest'

// As the tests of the server do: this runs before each test file, and its hook, given first, is called last.
openFile()
afterAll(closeFile, 60_000)
