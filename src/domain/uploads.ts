// Where the archives of an installation are: files named by their content.
import path from 'node:path'

export const uploadsFolder = (dataDir: string): string => path.join(dataDir, 'uploads')
export const uploadPath = (dataDir: string, sha256: string): string => path.join(uploadsFolder(dataDir), sha256)
