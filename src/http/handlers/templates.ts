// The catalogue that comes with the platform: read only.
import { TEMPLATES } from '../../domain/templates.ts'
import { listing, readPage } from '../pagination.ts'
import type { Answer, Read } from '../route.ts'

/** GET /templates */
export async function listTemplates({ query, keyring }: Read): Promise<Answer> {
  const page = readPage(query, 'templates', keyring)
  const rows = TEMPLATES.filter(one => page.after === null || one.id > page.after).slice(0, page.limit + 1)
  return {
    body: listing(
      rows,
      page,
      keyring,
      row => row.id,
      row => row,
    ),
  }
}
