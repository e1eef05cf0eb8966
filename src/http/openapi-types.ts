// The types that the client of this repository is made from (src/client/paths.d.ts).
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** TypeScript of a document. HEAD and OPTIONS are left out: the client does not send them. */
export async function typesText(document: string): Promise<string> {
  const parsed = JSON.parse(document) as OpenAPI3
  for (const item of Object.values(parsed.paths ?? {})) {
    delete (item as { head?: unknown }).head
    delete (item as { options?: unknown }).options
  }
  const types = astToString(await openapiTypes(parsed, { defaultNonNullable: false }))
  return `// Made by \`npm run openapi\`.\n${types}`
}
