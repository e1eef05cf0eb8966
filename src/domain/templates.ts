// The platform's catalogue (decisions 3.10). One entry: teams cannot add any.

export interface Template {
  id: string
  slug: string
  name: string
  description: string
  version: string
  databases: { name: string; engine: 'postgres' | 'mariadb' | 'sqlite'; quota_mb: number }[]
  services: {
    name: string
    visibility: 'public' | 'private'
    port: number
    source: { type: 'image'; ref: string }
    healthcheck_path: string
    resources: { memory_mb: number; cpus: number }
    volume: { mount_path: string; size_gb: number } | null
    variables: { name: string; value: string; sensitive: boolean }[]
  }[]
}

const plain = (name: string, value: string) => ({ name, value, sensitive: false })
const secret = (name: string, value: string) => ({ name, value, sensitive: true })

/**
 * A content-management system on the rules of this platform: the root is read-only, so everything that the image would
 * write beside its code goes to /tmp or to the volume. Secrets are derived from the one secret that every copy has of its
 * own, its database's password: a catalogue cannot hold secrets.
 */
const directus: Template = {
  id: '01kapvsxq2hm6c8v5z3n9d4wd1',
  slug: 'directus',
  name: 'Directus',
  description:
    'Gestão de conteúdo com painel de administração e API. Use os objetos nas chamadas comuns: crie o banco, ajuste o ' +
    'serviço "web" do projeto, grave o volume e as variáveis e implante. O primeiro acesso é admin@example.com, com a ' +
    'senha do banco (PGPASSWORD, em POST .../databases/db/credentials); troque as duas coisas ao entrar.',
  version: '11.17.4',
  databases: [{ name: 'db', engine: 'postgres', quota_mb: 1024 }],
  services: [
    {
      name: 'web',
      visibility: 'public',
      port: 8055,
      source: {
        type: 'image',
        ref: 'directus/directus:11.17.4@sha256:eb326f679ae847c0a776f93b972761dc2ebe84980e0b9d274a6bc31cd62809f7',
      },
      healthcheck_path: '/server/ping',
      resources: { memory_mb: 1024, cpus: 1 },
      volume: { mount_path: '/app/uploads', size_gb: 5 },
      variables: [
        plain('HOST', '0.0.0.0'),
        plain('PUBLIC_URL', '${{web.PUBLIC_URL}}'),
        plain('DB_CLIENT', 'pg'),
        secret('DB_CONNECTION_STRING', '${{db.DATABASE_URL}}'),
        secret('SECRET', '${{db.PGPASSWORD}}'),
        plain('ADMIN_EMAIL', 'admin@example.com'),
        secret('ADMIN_PASSWORD', '${{db.PGPASSWORD}}'),
        plain('STORAGE_LOCATIONS', 'local'),
        plain('STORAGE_LOCAL_DRIVER', 'local'),
        plain('STORAGE_LOCAL_ROOT', '/app/uploads'),
        // Written while it runs: the process manager's own files, bundled extensions, whatever looks for a home.
        plain('PM2_HOME', '/tmp/pm2'),
        plain('TEMP_PATH', '/tmp/directus'),
        plain('HOME', '/tmp'),
        plain('IP_TRUST_PROXY', 'true'),
        // Mail does not leave this platform by SMTP.
        plain('EMAIL_VERIFY_SETUP', 'false'),
        plain('TELEMETRY', 'false'),
      ],
    },
  ],
}

export const TEMPLATES: readonly [Template] = [directus]
