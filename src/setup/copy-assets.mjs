// The second half of `npm run build`: what the compiler leaves out (SQL, plain JavaScript, pages), next to what it wrote.
import { cpSync } from 'node:fs'

for (const folder of ['machines', 'db', 'src']) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: file => !file.endsWith('.ts') })
}
