// `npm run openapi`: writes what a client reads, from the code. Both files are committed; a test compares them.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openApiText } from './documentation.ts'
import { typesText } from './openapi-types.ts'

const documentPath = fileURLToPath(new URL('./openapi.json', import.meta.url))
const typesPath = fileURLToPath(new URL('../client/paths.d.ts', import.meta.url))

const text = openApiText()
await writeFile(documentPath, text)
await writeFile(typesPath, await typesText(text))
process.stdout.write(`${documentPath}\n${typesPath}\n`)
