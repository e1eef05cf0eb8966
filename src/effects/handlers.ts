// Who does what: the exhaustive table of everything that machines may ask of the world.
import type { Performers } from '../actors/index.ts'
import { backUpPerformer, removeBackupPerformer, restorePerformer, tellTeamPerformer } from './backups.ts'
import { buildPerformer } from './build.ts'
import {
  discardPerformer,
  dropPerformer,
  provisionPerformer,
  quotaPerformer,
  rotatePerformer,
  suspendPerformer,
} from './databases.ts'
import {
  checkPerformer,
  issuePerformer,
  publishPerformer,
  releasePerformer,
  withdrawDomainPerformer,
} from './domains.ts'
import { startPerformer } from './instance.ts'
import { restartPerformer } from './restart.ts'
import { cleanUpPerformer, retirePerformer, withdrawPerformer } from './retire.ts'
import { removeServicePerformer } from './removal.ts'
import type { Tools } from './tools.ts'
import { removeVolumePerformer, takeVolumePerformer } from './volumes.ts'
import { confirmPerformer, revertPerformer, switchPerformer } from './traffic.ts'

export function createPerformers(tools: Tools): Performers {
  return {
    build: buildPerformer(tools),
    takeVolume: takeVolumePerformer(tools),
    start: startPerformer(tools),
    switchTraffic: switchPerformer(tools),
    confirm: confirmPerformer(tools),
    revertTraffic: revertPerformer(tools),
    restartInstance: restartPerformer(tools),
    provisionDatabase: provisionPerformer(tools),
    enforceQuota: quotaPerformer(tools),
    rotateCredential: rotatePerformer(tools),
    discardDatabase: discardPerformer(tools),
    suspendDatabase: suspendPerformer(tools),
    dropDatabase: dropPerformer(tools),
    backUpDatabase: backUpPerformer(tools),
    removeBackup: removeBackupPerformer(tools),
    restoreDatabase: restorePerformer(tools),
    checkDomain: checkPerformer(tools),
    issueCertificate: issuePerformer(tools),
    publishDomain: publishPerformer(tools),
    withdrawDomain: withdrawDomainPerformer(tools),
    releaseDomain: releasePerformer(tools),
    tellTeam: tellTeamPerformer(tools),
    retireInstance: retirePerformer(tools),
    cleanUp: cleanUpPerformer(tools),
    withdrawInstance: withdrawPerformer(tools),
    removeVolume: removeVolumePerformer(tools),
    removeService: removeServicePerformer(tools),
  }
}
