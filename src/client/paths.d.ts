// Made by `npm run openapi`.
export interface paths {
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show me
         * @description Any valid token.
         */
        get: operations["showMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show limits
         * @description Scope `projects:read`.
         */
        get: operations["showLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Scope `projects:read`.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/git-installations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own installations
         * @description Scope `projects:read`.
         */
        get: operations["listOwnInstallations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own projects
         * @description Scope `projects:read`.
         */
        get: operations["listOwnProjects"];
        put?: never;
        /**
         * Create project
         * @description Scope `projects:write`. Not with a token that is restricted to projects.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show project
         * @description Scope `projects:read`.
         */
        get: operations["showProject"];
        put?: never;
        post?: never;
        /**
         * Remove project
         * @description Scope `projects:write`.
         */
        delete: operations["removeProject"];
        options?: never;
        head?: never;
        /**
         * Patch project
         * @description Scope `projects:write`.
         */
        patch: operations["patchProject"];
        trace?: never;
    };
    "/v1/projects/{project}/services": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * List own services
         * @description Scope `projects:read`.
         */
        get: operations["listOwnServices"];
        put?: never;
        /**
         * Create service
         * @description Scope `projects:write`.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * Show service
         * @description Scope `projects:read`.
         */
        get: operations["showService"];
        put?: never;
        post?: never;
        /**
         * Remove service
         * @description Scope `projects:write`.
         */
        delete: operations["removeService"];
        options?: never;
        head?: never;
        /**
         * Patch service
         * @description Scope `projects:write`.
         */
        patch: operations["patchService"];
        trace?: never;
    };
    "/v1/projects/{project}/volumes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * List volumes of project
         * @description Scope `projects:read`.
         */
        get: operations["listVolumesOfProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/volume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * Show volume
         * @description Scope `projects:read`.
         */
        get: operations["showVolume"];
        /**
         * Put volume
         * @description Scope `volumes:write`.
         */
        put: operations["putVolume"];
        post?: never;
        /**
         * Remove volume
         * @description Scope `volumes:write`.
         */
        delete: operations["removeVolume"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/shared-variables": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * List shared variables
         * @description Scope `env:read`.
         */
        get: operations["listSharedVariables"];
        /**
         * Put shared variables
         * @description Scope `env:write`.
         */
        put: operations["putSharedVariables"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/shared-variables/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example API_URL */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete shared variable
         * @description Scope `env:write`.
         */
        delete: operations["deleteSharedVariable"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * List service variables
         * @description Scope `env:read`.
         */
        get: operations["listServiceVariables"];
        /**
         * Put service variables
         * @description Scope `env:write`.
         */
        put: operations["putServiceVariables"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/variables/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example API_URL */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Put service variable
         * @description Scope `env:write`.
         */
        put: operations["putServiceVariable"];
        post?: never;
        /**
         * Delete service variable
         * @description Scope `env:write`.
         */
        delete: operations["deleteServiceVariable"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/databases": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * List databases of project
         * @description Scope `projects:read`.
         */
        get: operations["listDatabasesOfProject"];
        put?: never;
        /**
         * Create database
         * @description Scope `databases:write`.
         */
        post: operations["createDatabase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/databases/{database}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * Show database
         * @description Scope `projects:read`.
         */
        get: operations["showDatabase"];
        put?: never;
        post?: never;
        /**
         * Delete database
         * @description Scope `databases:write`.
         */
        delete: operations["deleteDatabase"];
        options?: never;
        head?: never;
        /**
         * Patch database
         * @description Scope `databases:write`.
         */
        patch: operations["patchDatabase"];
        trace?: never;
    };
    "/v1/projects/{project}/databases/{database}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate database
         * @description Scope `databases:write`.
         */
        post: operations["rotateDatabase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/databases/{database}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reveal credentials
         * @description Scope `env:reveal`.
         */
        post: operations["revealCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/backups": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * List backups of project
         * @description Scope `projects:read`.
         */
        get: operations["listBackupsOfProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/backups/{backup}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                backup: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show backup
         * @description Scope `projects:read`.
         */
        get: operations["showBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/backups/{backup}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                backup: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore backup
         * @description Scope `databases:write`.
         */
        post: operations["restoreBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/restores/{restore}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                restore: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show restore
         * @description Scope `projects:read`.
         */
        get: operations["showRestore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * List own domains
         * @description Scope `projects:read`.
         */
        get: operations["listOwnDomains"];
        put?: never;
        /**
         * Create domain
         * @description Scope `domains:write`.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                domain: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show domain
         * @description Scope `projects:read`.
         */
        get: operations["showDomain"];
        put?: never;
        post?: never;
        /**
         * Remove domain
         * @description Scope `domains:write`.
         */
        delete: operations["removeDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                domain: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify domain
         * @description Scope `domains:write`.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * List deployments of service
         * @description Scope `projects:read`.
         */
        get: operations["listDeploymentsOfService"];
        put?: never;
        /**
         * Create deployment
         * @description Scope `deploy`.
         */
        post: operations["createDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/deployments/{deployment}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                deployment: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show deployment
         * @description Scope `projects:read`.
         */
        get: operations["showDeployment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/deployments/{deployment}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                deployment: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show build log
         * @description Scope `logs:read`.
         */
        get: operations["showBuildLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/deployments/{deployment}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                deployment: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll back
         * @description Scope `deploy`.
         */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/services/{service}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /**
         * Show runtime log
         * @description Scope `logs:read`.
         */
        get: operations["showRuntimeLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create group
         * @description Scope `deploy`.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/group-deployments/{group}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                group: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show group
         * @description Scope `projects:read`.
         */
        get: operations["showGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}/group-deployments/{group}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                group: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel group
         * @description Scope `deploy`.
         */
        post: operations["cancelGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This process answers */
        get: operations["isAlive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests are served and work is picked up */
        get: operations["isReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["readDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document for people */
        get: operations["readDocumentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "token": {
         *         "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *         "name": "ci",
         *         "prefix": "cais_4fGh",
         *         "scopes": [
         *           "projects:read",
         *           "deploy"
         *         ],
         *         "project_ids": null,
         *         "created_at": "2030-01-31T12:00:00.000Z",
         *         "expires_at": "2030-01-31T12:00:00.000Z",
         *         "last_used_at": "2030-01-31T12:00:00.000Z"
         *       },
         *       "team": {
         *         "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *         "name": "Loja",
         *         "plan": "hobby"
         *       }
         *     }
         */
        Me: {
            token: {
                id: components["schemas"]["Id"];
                name: string;
                prefix: string;
                scopes: ("projects:read" | "projects:write" | "databases:write" | "env:write" | "env:read" | "env:reveal" | "volumes:write" | "deploy" | "domains:write" | "logs:read")[];
                /** @description Null: all projects of the team. */
                project_ids: components["schemas"]["Id"][] | null;
                created_at: components["schemas"]["Time"];
                expires_at: components["schemas"]["Time"];
                last_used_at: components["schemas"]["Time"] | null;
            };
            team: {
                id: components["schemas"]["Id"];
                name: string;
                /** @enum {string} */
                plan: "hobby" | "pro" | "business";
            };
        };
        /**
         * @description Lowercase ULID.
         * @example 01kapvsxq2hm6c8v5z3n9d4wtf
         */
        Id: string;
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         * @example 2030-01-31T12:00:00.000Z
         */
        Time: string;
        /**
         * @example {
         *       "plan": "hobby",
         *       "services": {
         *         "used": 3,
         *         "max": 10
         *       },
         *       "memory_mb": {
         *         "used": 1536,
         *         "max": 4096
         *       },
         *       "volumes_gb": {
         *         "used": 0,
         *         "max": 20
         *       },
         *       "databases": {
         *         "used": 1,
         *         "max": 3
         *       },
         *       "deploys_per_hour": {
         *         "used": 4,
         *         "max": 30
         *       },
         *       "projects": {
         *         "used": 1,
         *         "max": 5
         *       }
         *     }
         */
        Limits: {
            /** @enum {string} */
            plan: "hobby" | "pro" | "business";
            services: {
                used: number;
                max: number;
            };
            memory_mb: {
                used: number;
                max: number;
            };
            volumes_gb: {
                used: number;
                max: number;
            };
            databases: {
                used: number;
                max: number;
            };
            deploys_per_hour: {
                used: number;
                max: number;
            };
            projects: {
                used: number;
                max: number;
            };
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wd1",
         *       "slug": "directus",
         *       "name": "Directus",
         *       "description": "Gestão de conteúdo com painel de administração e API. Use os objetos nas chamadas comuns: crie o banco, ajuste o serviço \"web\" do projeto, grave o volume e as variáveis e implante. O primeiro acesso é admin@example.com, com a senha do banco (PGPASSWORD, em POST .../databases/db/credentials); troque as duas coisas ao entrar.",
         *       "version": "11.17.4",
         *       "databases": [
         *         {
         *           "name": "db",
         *           "engine": "postgres",
         *           "quota_mb": 1024
         *         }
         *       ],
         *       "services": [
         *         {
         *           "name": "web",
         *           "visibility": "public",
         *           "port": 8055,
         *           "source": {
         *             "type": "image",
         *             "ref": "directus/directus:11.17.4@sha256:eb326f679ae847c0a776f93b972761dc2ebe84980e0b9d274a6bc31cd62809f7"
         *           },
         *           "healthcheck_path": "/server/ping",
         *           "resources": {
         *             "memory_mb": 1024,
         *             "cpus": 1
         *           },
         *           "volume": {
         *             "mount_path": "/app/uploads",
         *             "size_gb": 5
         *           },
         *           "variables": [
         *             {
         *               "name": "HOST",
         *               "value": "0.0.0.0",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "PUBLIC_URL",
         *               "value": "${{web.PUBLIC_URL}}",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "DB_CLIENT",
         *               "value": "pg",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "DB_CONNECTION_STRING",
         *               "value": "${{db.DATABASE_URL}}",
         *               "sensitive": true
         *             },
         *             {
         *               "name": "SECRET",
         *               "value": "${{db.PGPASSWORD}}",
         *               "sensitive": true
         *             },
         *             {
         *               "name": "ADMIN_EMAIL",
         *               "value": "admin@example.com",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "ADMIN_PASSWORD",
         *               "value": "${{db.PGPASSWORD}}",
         *               "sensitive": true
         *             },
         *             {
         *               "name": "STORAGE_LOCATIONS",
         *               "value": "local",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "STORAGE_LOCAL_DRIVER",
         *               "value": "local",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "STORAGE_LOCAL_ROOT",
         *               "value": "/app/uploads",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "PM2_HOME",
         *               "value": "/tmp/pm2",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "TEMP_PATH",
         *               "value": "/tmp/directus",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "HOME",
         *               "value": "/tmp",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "IP_TRUST_PROXY",
         *               "value": "true",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "EMAIL_VERIFY_SETUP",
         *               "value": "false",
         *               "sensitive": false
         *             },
         *             {
         *               "name": "TELEMETRY",
         *               "value": "false",
         *               "sensitive": false
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        Template: {
            id: components["schemas"]["Id"];
            slug: string;
            name: string;
            description: string;
            version: string;
            databases: {
                name: string;
                /** @enum {string} */
                engine: "postgres" | "mariadb" | "sqlite";
                quota_mb: number;
            }[];
            services: {
                name: string;
                /** @enum {string} */
                visibility: "public" | "private";
                port: number;
                source: {
                    /** @constant */
                    type: "image";
                    ref: string;
                };
                healthcheck_path: string;
                resources: {
                    memory_mb: number;
                    cpus: number;
                };
                volume: {
                    mount_path: string;
                    size_gb: number;
                } | null;
                /** @description Values may hold references. */
                variables: {
                    name: string;
                    value: string;
                    sensitive: boolean;
                }[];
            }[];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "provider": "github",
         *       "account": "ana",
         *       "repositories": [
         *         {
         *           "full_name": "ana/loja",
         *           "default_branch": "main"
         *         }
         *       ],
         *       "created_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        GitInstallation: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            provider: "github" | "gitlab" | "generic";
            account: string;
            repositories: {
                full_name: string;
                default_branch: string;
            }[];
            created_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "name": "Loja da Ana",
         *       "slug": "loja-da-ana",
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "updated_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Project: {
            id: components["schemas"]["Id"];
            name: string;
            slug: string;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "name": "web",
         *       "kind": "app",
         *       "visibility": "public",
         *       "slug": "loja-da-ana",
         *       "port": 8080,
         *       "source": {
         *         "type": "upload"
         *       },
         *       "build": {
         *         "builder": "auto",
         *         "user": null
         *       },
         *       "healthcheck_path": "/",
         *       "start_command": null,
         *       "build_command": null,
         *       "resources": {
         *         "memory_mb": 512,
         *         "cpus": 0.5
         *       },
         *       "auto_deploy": false,
         *       "public_url": "https://loja-da-ana.apps.example.com",
         *       "status": "running",
         *       "needs_redeploy": false,
         *       "depends_on": [
         *         "api",
         *         "db"
         *       ],
         *       "active_deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "updated_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Service: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            name: string;
            /** @constant */
            kind: "app";
            /** @enum {string} */
            visibility: "public" | "private";
            slug: string | null;
            port: number;
            source: ({
                /** @constant */
                type: "upload";
            } | {
                /** @constant */
                type: "image";
                ref: string;
            } | {
                /** @constant */
                type: "git";
                installation_id: string;
                repo: string | null;
                branch: string | null;
                root_dir: string | null;
                watch_paths: string[];
            }) | null;
            build: {
                /** @enum {string} */
                builder: "auto" | "node" | "go" | "rust" | "python" | "static" | "dockerfile";
                user: string | null;
            };
            healthcheck_path: string;
            start_command: string | null;
            build_command: string | null;
            resources: {
                memory_mb: number;
                cpus: number;
            };
            auto_deploy: boolean;
            /** @description Only of public services. */
            public_url?: string;
            /** @enum {string} */
            status: "idle" | "deploying" | "running" | "failed";
            needs_redeploy: boolean;
            /** @description Names of the services and databases it refers to. */
            depends_on: string[];
            active_deployment_id: components["schemas"]["Id"] | null;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "service_name": "api",
         *       "mount_path": "/app/dados",
         *       "size_gb": 5,
         *       "used_mb": 120,
         *       "status": "attached",
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "updated_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Volume: {
            id: components["schemas"]["Id"];
            service_id: components["schemas"]["Id"];
            service_name: string;
            mount_path: string;
            size_gb: number;
            used_mb: number;
            /**
             * @description `attached`: the version that runs has it as it is shown here.
             * @enum {string}
             */
            status: "pending" | "attached";
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "name": "DATABASE_URL",
         *       "value": "********",
         *       "sensitive": true,
         *       "references": [
         *         "db"
         *       ],
         *       "updated_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Variable: {
            name: string;
            /** @description A constant mask without `resolved=true`. */
            value: string | null;
            /** @description With `resolved=true`: why it does not expand. */
            error?: string;
            sensitive: boolean;
            /** @description Names that the value refers to. */
            references: string[];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "updated": 2
         *     }
         */
        Saved: {
            updated: number;
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "name": "db",
         *       "kind": "database",
         *       "engine": "postgres",
         *       "status": "provisioning",
         *       "quota_mb": 1024
         *     }
         */
        CreatedDatabase: {
            id: components["schemas"]["Id"];
            name: string;
            /** @constant */
            kind: "database";
            /** @enum {string} */
            engine: "postgres" | "mariadb" | "sqlite";
            /** @enum {string} */
            status: "provisioning" | "ready";
            quota_mb: number;
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "name": "db",
         *       "kind": "database",
         *       "engine": "postgres",
         *       "status": "ready",
         *       "quota_mb": 1024,
         *       "size_mb": 8,
         *       "read_only": false,
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "updated_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Database: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            name: string;
            /** @constant */
            kind: "database";
            /** @enum {string} */
            engine: "postgres" | "mariadb" | "sqlite";
            /** @enum {string} */
            status: "provisioning" | "ready";
            quota_mb: number;
            size_mb: number;
            /** @description True while it uses more than its quota. */
            read_only: boolean;
            created_at: components["schemas"]["Time"];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "name": "db",
         *       "kind": "database",
         *       "engine": "postgres"
         *     }
         */
        RotatedDatabase: {
            id: components["schemas"]["Id"];
            name: string;
            /** @constant */
            kind: "database";
            /** @enum {string} */
            engine: "postgres" | "mariadb" | "sqlite";
        };
        /**
         * @example {
         *       "credentials": [
         *         {
         *           "name": "PGHOST",
         *           "value": "db.cais.internal"
         *         }
         *       ]
         *     }
         */
        Credentials: {
            credentials: {
                name: string;
                value: string;
            }[];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "database_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "database_name": "db",
         *       "engine": "postgres",
         *       "kind": "final",
         *       "status": "ready",
         *       "size_mb": 12,
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "expires_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Backup: {
            id: components["schemas"]["Id"];
            database_id: components["schemas"]["Id"];
            database_name: string;
            /** @enum {string} */
            engine: "postgres" | "mariadb" | "sqlite";
            /** @constant */
            kind: "final";
            /**
             * @description While it is `failed` the data is kept and the backup is tried again.
             * @enum {string}
             */
            status: "running" | "ready" | "failed";
            /** @description Of the compressed file; null until it is ready. */
            size_mb: number | null;
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "backup_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "database_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "status": "running",
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "finished_at": null
         *     }
         */
        Restore: {
            id: components["schemas"]["Id"];
            backup_id: components["schemas"]["Id"];
            /** @description The new database; it is `provisioning` until it is filled. */
            database_id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "running" | "ready" | "failed";
            created_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["Time"] | null;
            /** @description Only of failed restores. */
            error?: {
                code: string;
                message: string;
            };
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "hostname": "loja.example.com",
         *       "status": "pending",
         *       "dns": [
         *         {
         *           "type": "CNAME",
         *           "name": "loja.example.com",
         *           "value": "loja-da-ana.apps.example.com",
         *           "ttl": 300
         *         }
         *       ],
         *       "verification": {
         *         "type": "TXT",
         *         "name": "_web-verify.loja.example.com",
         *         "value": "cais-verify=Zm9vYmFy"
         *       },
         *       "last_checked_at": null,
         *       "last_error": null,
         *       "verified_at": null,
         *       "created_at": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Domain: {
            id: components["schemas"]["Id"];
            service_id: components["schemas"]["Id"];
            /** @description Lower case, ASCII. */
            hostname: string;
            /** @enum {string} */
            status: "pending" | "issuing" | "active" | "failed";
            /** @description Records that lead the host here; addresses for an apex. */
            dns: {
                /** @enum {string} */
                type: "CNAME" | "A" | "AAAA";
                name: string;
                value: string;
                ttl: number;
            }[];
            /** @description Record that proves whose the host is. */
            verification: {
                /** @constant */
                type: "TXT";
                name: string;
                value: string;
            };
            last_checked_at: components["schemas"]["Time"] | null;
            /** @description What the last check or certificate was missing. */
            last_error: {
                /** @enum {string} */
                code: "txt_missing" | "routing_missing" | "dns_unavailable" | "certificate_refused" | "certificate_failed";
                message: string;
            } | null;
            verified_at: components["schemas"]["Time"] | null;
            created_at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "status": "queued",
         *       "trigger": "upload",
         *       "source": {
         *         "type": "upload",
         *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *       },
         *       "group_id": null,
         *       "rollback_of": null,
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "started_at": null,
         *       "finished_at": null
         *     }
         */
        Deployment: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            service_id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "queued" | "building" | "deploying" | "ready" | "failed" | "blocked" | "canceled" | "superseded";
            /** @enum {string} */
            trigger: "api" | "upload" | "git" | "rollback" | "group";
            source: {
                /** @constant */
                type: "upload";
                sha256: string | null;
            } | {
                /** @constant */
                type: "image";
                ref: string;
            } | {
                /** @constant */
                type: "git";
                commit: string | null;
            };
            group_id: components["schemas"]["Id"] | null;
            rollback_of: components["schemas"]["Id"] | null;
            created_at: components["schemas"]["Time"];
            started_at: components["schemas"]["Time"] | null;
            finished_at: components["schemas"]["Time"] | null;
            /** @description Only of failed deployments. */
            error?: components["schemas"]["Failure"];
        };
        /**
         * @example {
         *       "code": "build_oom",
         *       "message": "O build ficou sem memória. Reduza o consumo ou divida as etapas."
         *     }
         */
        Failure: {
            /** @enum {string} */
            code: "activate_readonly_write" | "activate_no_http" | "activate_app_crashed" | "crashed_after_start" | "image_requires_root" | "unresolved_reference" | "reference_cycle" | "build_oom" | "build_timeout" | "build_storage_error" | "build_disk_full" | "build_storage_unavailable" | "team_app_limit" | "deploy_failed";
            message: string;
        };
        /**
         * @example {
         *       "text": "12:00:00 listening on 8080\n",
         *       "truncated": false,
         *       "next_since": "2030-01-31T12:00:00.000Z"
         *     }
         */
        Log: {
            text: string;
            /** @description True when only the newest part is shown. */
            truncated: boolean;
            /** @description Runtime logs: the `since` that continues here. */
            next_since: string | null;
        };
        /**
         * @example {
         *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *       "status": "running",
         *       "items": [
         *         {
         *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *           "service_name": "api",
         *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *           "status": "building",
         *           "layer": 0
         *         },
         *         {
         *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *           "service_name": "web",
         *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
         *           "status": "queued",
         *           "layer": 1
         *         }
         *       ],
         *       "created_at": "2030-01-31T12:00:00.000Z",
         *       "finished_at": null
         *     }
         */
        Group: {
            id: components["schemas"]["Id"];
            project_id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "running" | "ready" | "failed" | "canceled" | "superseded";
            items: {
                service_id: components["schemas"]["Id"];
                service_name: string;
                /** @description Null for a skipped item. */
                deployment_id: components["schemas"]["Id"] | null;
                /** @enum {string} */
                status: "queued" | "building" | "deploying" | "ready" | "failed" | "blocked" | "canceled" | "skipped";
                layer: number;
                /** @enum {string} */
                reason?: "never_uploaded" | "dependency_failed" | "layer_not_reached" | "canceled" | "superseded";
            }[];
            created_at: components["schemas"]["Time"];
            finished_at: components["schemas"]["Time"] | null;
            /** @description Only of failed groups. */
            error?: components["schemas"]["Failure"];
        };
        /**
         * @example {
         *       "error": "not_found",
         *       "message": "Recurso não encontrado."
         *     }
         */
        Error: {
            /** @description Stable code: decide by it. */
            error: string;
            /** @description For people, in Brazilian Portuguese; may change. */
            message: string;
            details?: {
                /** @description invalid_request: every field that is wrong. */
                fields?: {
                    field: string;
                    /** @enum {string} */
                    problem: "unknown" | "misplaced" | "read_only" | "required" | "invalid" | "duplicate";
                }[];
                /** @description References that do not resolve, or the cycle. */
                references?: string[];
                /** @description deploy_in_progress: the services that are busy. */
                services?: string[];
                /** @description References: the variable at fault. */
                name?: string;
                /** @description References: the service whose variables were resolved. */
                service?: string;
                /** @description References: `database_provisioning` or `environment`. */
                reason?: string;
                /** @description quota_exceeded: the limit of the plan that was reached. */
                resource?: string;
                used?: number;
                max?: number;
                requested?: number;
                /** @description 422 rate_limited: the same as `Retry-After`. */
                retry_after_seconds?: number;
                /**
                 * @description unavailable: what builds are waiting for.
                 * @enum {string}
                 */
                error_code?: "build_storage_unavailable" | "build_disk_full";
                /** @description unavailable: the deployment that failed of it. */
                deployment_id?: string;
            };
        };
    };
    responses: {
        /** @description `invalid_request` */
        "400-invalid_request.http": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `unauthorized` */
        "401-unauthorized": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unauthorized";
                };
            };
        };
        /** @description `rate_limited` */
        "429-rate_limited.requests": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "rate_limited";
                };
            };
        };
        /** @description `internal_error` */
        "500-internal_error": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "internal_error";
                };
            };
        };
        /** @description `unavailable` */
        "503-unavailable": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unavailable";
                };
            };
        };
        /** @description `invalid_request` */
        "head-400-invalid_request.http": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `unauthorized` */
        "head-401-unauthorized": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `rate_limited` */
        "head-429-rate_limited.requests": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `internal_error` */
        "head-500-internal_error": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `unavailable` */
        "head-503-unavailable": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `method_not_allowed` */
        "405-method_not_allowed": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Allow: components["headers"]["Allow"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "method_not_allowed";
                };
            };
        };
        /** @description `forbidden` */
        "403-forbidden.scope": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "forbidden";
                };
            };
        };
        /** @description `forbidden` */
        "head-403-forbidden.scope": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.parameter.cursor": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `invalid_request` */
        "head-400-invalid_request.http.parameter.cursor": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.rule.required": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `forbidden` */
        "403-forbidden.scope.restricted": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "forbidden";
                };
            };
        };
        /** @description `unsupported_media_type` */
        "415-unsupported_media_type": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unsupported_media_type";
                };
            };
        };
        /** @description `payload_too_large` */
        "413-payload_too_large": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "payload_too_large";
                };
            };
        };
        /** @description `idempotency_in_progress`, `slug_taken`, `project_quota_exceeded` */
        "409-idempotency_in_progress-slug_taken-project_quota_exceeded": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "slug_taken" | "project_quota_exceeded";
                };
            };
        };
        /** @description `idempotency_conflict`, `quota_exceeded` */
        "422-idempotency_conflict-quota_exceeded": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_conflict" | "quota_exceeded";
                };
            };
        };
        /** @description `not_found` */
        "404-not_found": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "not_found";
                };
            };
        };
        /** @description `not_found` */
        "head-404-not_found": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.body.unknown_field.rule": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `precondition_failed` */
        "412-precondition_failed": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "precondition_failed";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.body.unknown_field": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `project_not_empty` */
        "409-project_not_empty": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "project_not_empty";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.rule.required.name.misplaced.private_slug.public_slug.auto_deploy.installation": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `idempotency_in_progress`, `name_taken`, `slug_taken` */
        "409-idempotency_in_progress-name_taken-slug_taken": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "name_taken" | "slug_taken";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.body.unknown_field.rule.name.misplaced.private_slug.public_slug.auto_deploy.installation.has_domains": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `name_taken`, `slug_taken` */
        "409-name_taken-slug_taken": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "name_taken" | "slug_taken";
                };
            };
        };
        /** @description `quota_exceeded` */
        "422-quota_exceeded": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "quota_exceeded";
                };
            };
        };
        /** @description `volume_attached`, `deploy_in_progress` */
        "409-volume_attached-deploy_in_progress": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "volume_attached" | "deploy_in_progress";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.body.unknown_field.rule.required.mount_path.size_gb": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `deploy_in_progress` */
        "409-deploy_in_progress": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "deploy_in_progress";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.body.unknown_field.rule.required.variable_name.duplicate": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `sensitive_lowered` */
        "409-sensitive_lowered": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "sensitive_lowered";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.body.unknown_field.rule.required.variable_name": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.rule.required.name": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `unavailable` */
        "503-unavailable.any.databases": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unavailable";
                };
            };
        };
        /** @description `idempotency_in_progress`, `name_taken` */
        "409-idempotency_in_progress-name_taken": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "name_taken";
                };
            };
        };
        /** @description `quota_exceeded` */
        "422-quota_exceeded.any.database": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "quota_exceeded";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.parameter.body.unknown_field.rule": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `idempotency_in_progress`, `database_not_ready` */
        "409-idempotency_in_progress-database_not_ready": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "database_not_ready";
                };
            };
        };
        /** @description `idempotency_conflict` */
        "422-idempotency_conflict": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_conflict";
                };
            };
        };
        /** @description `database_not_ready` */
        "409-database_not_ready": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "database_not_ready";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.rule.name": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `idempotency_in_progress`, `database_not_ready`, `name_taken` */
        "409-idempotency_in_progress-database_not_ready.backup-name_taken": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "database_not_ready" | "name_taken";
                };
            };
        };
        /** @description `idempotency_conflict`, `quota_exceeded` */
        "422-idempotency_conflict-quota_exceeded.any.database": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_conflict" | "quota_exceeded";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.rule.required.private_domain": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `idempotency_in_progress`, `domain_taken` */
        "409-idempotency_in_progress-domain_taken": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "domain_taken";
                };
            };
        };
        /** @description `idempotency_in_progress` */
        "409-idempotency_in_progress": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress";
                };
            };
        };
        /** @description `idempotency_conflict`, `rate_limited` */
        "422-idempotency_conflict-rate_limited.domain": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_conflict" | "rate_limited";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.archive.duplicate.required.file_source": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `rate_limited` */
        "429-rate_limited.requests.deploys": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "rate_limited";
                };
            };
        };
        /** @description `unavailable` */
        "503-unavailable.any.build_storage.build_disk": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unavailable";
                };
            };
        };
        /** @description `idempotency_in_progress`, `deploy_in_progress` */
        "409-idempotency_in_progress-deploy_in_progress": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "deploy_in_progress";
                };
            };
        };
        /** @description `idempotency_conflict`, `unresolved_reference`, `reference_cycle`, `reference_too_deep`, `value_too_large`, `invalid_reference` */
        "422-idempotency_conflict-unresolved_reference.any.provisioning-reference_cycle-reference_too_deep-value_too_large-invalid_reference": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_conflict" | "unresolved_reference" | "reference_cycle" | "reference_too_deep" | "value_too_large" | "invalid_reference";
                };
            };
        };
        /** @description `idempotency_in_progress`, `nothing_to_rollback`, `deploy_in_progress` */
        "409-idempotency_in_progress-nothing_to_rollback-deploy_in_progress": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_in_progress" | "nothing_to_rollback" | "deploy_in_progress";
                };
            };
        };
        /** @description `idempotency_conflict`, `unresolved_reference`, `value_too_large` */
        "422-idempotency_conflict-unresolved_reference.any.provisioning-value_too_large": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "idempotency_conflict" | "unresolved_reference" | "value_too_large";
                };
            };
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.parameter": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description `invalid_request` */
        "head-400-invalid_request.http.parameter": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `invalid_request` */
        "400-invalid_request.http.idempotency.body.unknown_field.rule.services": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Content-Language": components["headers"]["Content-Language"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy.optional"];
                RateLimit: components["headers"]["RateLimit.optional"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_request";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Of this answer; quote it to whoever operates the platform.
         * @example 01kapvsxq2hm6c8v5z3n9d4wtf
         */
        "Request-Id": string;
        /**
         * @description Of this answer; quote it to whoever operates the platform.
         * @example 01kapvsxq2hm6c8v5z3n9d4wtf
         */
        "Request-Id.optional": string;
        /**
         * @description Always the same.
         * @example nosniff
         */
        "X-Content-Type-Options": string;
        /**
         * @description Always the same.
         * @example nosniff
         */
        "X-Content-Type-Options.optional": string;
        /**
         * @description Quotas of the token, and of deployments after a trigger.
         * @example "token";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Quotas of the token, and of deployments after a trigger.
         * @example "token";q=600;w=60
         */
        "RateLimit-Policy.optional": string;
        /**
         * @description What is left of them, and the seconds until it is whole again.
         * @example "token";r=587;t=41
         */
        RateLimit: string;
        /**
         * @description What is left of them, and the seconds until it is whole again.
         * @example "token";r=587;t=41
         */
        "RateLimit.optional": string;
        /**
         * @description Reads may be kept and asked for again with the ETag; secrets and logs not.
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description Reads may be kept and asked for again with the ETag; secrets and logs not.
         * @example private, no-cache
         */
        "Cache-Control.optional": string;
        /**
         * @description For If-None-Match and If-Match. Not on logs and secrets.
         * @example W/"kZbC8wX1"
         */
        ETag: string;
        /**
         * @description For If-None-Match and If-Match. Not on logs and secrets.
         * @example W/"kZbC8wX1"
         */
        "ETag.optional": string;
        /**
         * @description Path of what was created or triggered.
         * @example /v1/projects/01kapvsxq2hm6c8v5z3n9d4wtf
         */
        Location: string;
        /**
         * @description Path of what was created or triggered.
         * @example /v1/projects/01kapvsxq2hm6c8v5z3n9d4wtf
         */
        "Location.optional": string;
        /**
         * @description `true`: this is the answer of the first request with this key.
         * @example true
         */
        "Idempotent-Replay": string;
        /**
         * @description `true`: this is the answer of the first request with this key.
         * @example true
         */
        "Idempotent-Replay.optional": string;
        /**
         * @description Whole seconds to wait.
         * @example 5
         */
        "Retry-After": number;
        /**
         * @description Whole seconds to wait.
         * @example 5
         */
        "Retry-After.optional": number;
        /**
         * @description Says nothing about the reason.
         * @example Bearer realm="api"
         */
        "WWW-Authenticate": string;
        /**
         * @description Says nothing about the reason.
         * @example Bearer realm="api"
         */
        "WWW-Authenticate.optional": string;
        /**
         * @description Of the message.
         * @example pt-BR
         */
        "Content-Language": string;
        /**
         * @description Of the message.
         * @example pt-BR
         */
        "Content-Language.optional": string;
        /**
         * @description The methods that the path knows.
         * @example GET, HEAD, OPTIONS
         */
        Allow: string;
        /**
         * @description The methods that the path knows.
         * @example GET, HEAD, OPTIONS
         */
        "Allow.optional": string;
        /**
         * @description Forbids everything that does not come from here.
         * @example default-src 'none'
         */
        "Content-Security-Policy": string;
        /**
         * @description Forbids everything that does not come from here.
         * @example default-src 'none'
         */
        "Content-Security-Policy.optional": string;
        /**
         * @description Always the same.
         * @example no-referrer
         */
        "Referrer-Policy": string;
        /**
         * @description Always the same.
         * @example no-referrer
         */
        "Referrer-Policy.optional": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": {
                     *         "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *         "name": "ci",
                     *         "prefix": "cais_4fGh",
                     *         "scopes": [
                     *           "projects:read",
                     *           "deploy"
                     *         ],
                     *         "project_ids": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "expires_at": "2030-01-31T12:00:00.000Z",
                     *         "last_used_at": "2030-01-31T12:00:00.000Z"
                     *       },
                     *       "team": {
                     *         "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *         "name": "Loja",
                     *         "plan": "hobby"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan": "hobby",
                     *       "services": {
                     *         "used": 3,
                     *         "max": 10
                     *       },
                     *       "memory_mb": {
                     *         "used": 1536,
                     *         "max": 4096
                     *       },
                     *       "volumes_gb": {
                     *         "used": 0,
                     *         "max": 20
                     *       },
                     *       "databases": {
                     *         "used": 1,
                     *         "max": 3
                     *       },
                     *       "deploys_per_hour": {
                     *         "used": 4,
                     *         "max": 30
                     *       },
                     *       "projects": {
                     *         "used": 1,
                     *         "max": 5
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wd1",
                     *           "slug": "directus",
                     *           "name": "Directus",
                     *           "description": "Gestão de conteúdo com painel de administração e API. Use os objetos nas chamadas comuns: crie o banco, ajuste o serviço \"web\" do projeto, grave o volume e as variáveis e implante. O primeiro acesso é admin@example.com, com a senha do banco (PGPASSWORD, em POST .../databases/db/credentials); troque as duas coisas ao entrar.",
                     *           "version": "11.17.4",
                     *           "databases": [
                     *             {
                     *               "name": "db",
                     *               "engine": "postgres",
                     *               "quota_mb": 1024
                     *             }
                     *           ],
                     *           "services": [
                     *             {
                     *               "name": "web",
                     *               "visibility": "public",
                     *               "port": 8055,
                     *               "source": {
                     *                 "type": "image",
                     *                 "ref": "directus/directus:11.17.4@sha256:eb326f679ae847c0a776f93b972761dc2ebe84980e0b9d274a6bc31cd62809f7"
                     *               },
                     *               "healthcheck_path": "/server/ping",
                     *               "resources": {
                     *                 "memory_mb": 1024,
                     *                 "cpus": 1
                     *               },
                     *               "volume": {
                     *                 "mount_path": "/app/uploads",
                     *                 "size_gb": 5
                     *               },
                     *               "variables": [
                     *                 {
                     *                   "name": "HOST",
                     *                   "value": "0.0.0.0",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "PUBLIC_URL",
                     *                   "value": "${{web.PUBLIC_URL}}",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "DB_CLIENT",
                     *                   "value": "pg",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "DB_CONNECTION_STRING",
                     *                   "value": "${{db.DATABASE_URL}}",
                     *                   "sensitive": true
                     *                 },
                     *                 {
                     *                   "name": "SECRET",
                     *                   "value": "${{db.PGPASSWORD}}",
                     *                   "sensitive": true
                     *                 },
                     *                 {
                     *                   "name": "ADMIN_EMAIL",
                     *                   "value": "admin@example.com",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "ADMIN_PASSWORD",
                     *                   "value": "${{db.PGPASSWORD}}",
                     *                   "sensitive": true
                     *                 },
                     *                 {
                     *                   "name": "STORAGE_LOCATIONS",
                     *                   "value": "local",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "STORAGE_LOCAL_DRIVER",
                     *                   "value": "local",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "STORAGE_LOCAL_ROOT",
                     *                   "value": "/app/uploads",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "PM2_HOME",
                     *                   "value": "/tmp/pm2",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "TEMP_PATH",
                     *                   "value": "/tmp/directus",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "HOME",
                     *                   "value": "/tmp",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "IP_TRUST_PROXY",
                     *                   "value": "true",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "EMAIL_VERIFY_SETUP",
                     *                   "value": "false",
                     *                   "sensitive": false
                     *                 },
                     *                 {
                     *                   "name": "TELEMETRY",
                     *                   "value": "false",
                     *                   "sensitive": false
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Template"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listOwnInstallations: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "provider": "github",
                     *           "account": "ana",
                     *           "repositories": [
                     *             {
                     *               "full_name": "ana/loja",
                     *               "default_branch": "main"
                     *             }
                     *           ],
                     *           "created_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["GitInstallation"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listOwnProjects: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "name": "Loja da Ana",
                     *           "slug": "loja-da-ana",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Project"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Loja da Ana"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description um texto de 1 a 64 caracteres, sem caracteres de controle e com ao menos uma letra ou número
                     * @example Loja da Ana
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "Loja da Ana",
                     *       "slug": "loja-da-ana",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.rule.required"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope.restricted"];
            409: components["responses"]["409-idempotency_in_progress-slug_taken-project_quota_exceeded"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-quota_exceeded"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "Loja da Ana",
                     *       "slug": "loja-da-ana",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    removeProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-project_not_empty"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    patchProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Loja da Ana"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description um texto de 1 a 64 caracteres, sem caracteres de controle e com ao menos uma letra ou número
                     * @example Loja da Ana
                     */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "Loja da Ana",
                     *       "slug": "loja-da-ana",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listOwnServices: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "name": "web",
                     *           "kind": "app",
                     *           "visibility": "public",
                     *           "slug": "loja-da-ana",
                     *           "port": 8080,
                     *           "source": {
                     *             "type": "upload"
                     *           },
                     *           "build": {
                     *             "builder": "auto",
                     *             "user": null
                     *           },
                     *           "healthcheck_path": "/",
                     *           "start_command": null,
                     *           "build_command": null,
                     *           "resources": {
                     *             "memory_mb": 512,
                     *             "cpus": 0.5
                     *           },
                     *           "auto_deploy": false,
                     *           "public_url": "https://loja-da-ana.apps.example.com",
                     *           "status": "running",
                     *           "needs_redeploy": false,
                     *           "depends_on": [
                     *             "api",
                     *             "db"
                     *           ],
                     *           "active_deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Service"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "api",
                 *       "kind": "app",
                 *       "visibility": "public",
                 *       "slug": "api-da-ana",
                 *       "port": 8080,
                 *       "source": {
                 *         "type": "image",
                 *         "ref": "ghcr.io/ana/api:1.4"
                 *       },
                 *       "healthcheck_path": "/saude",
                 *       "resources": {
                 *         "memory_mb": 256,
                 *         "cpus": 0.25
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @example api */
                    name: string;
                    /**
                     * @default app
                     * @enum {string}
                     */
                    kind?: "app";
                    /** @enum {string} */
                    visibility?: "public" | "private";
                    slug?: string | null;
                    port?: number | null;
                    source?: {
                        /** @enum {string} */
                        type?: "upload" | "image" | "git";
                        /**
                         * @description uma imagem como "repositorio:tag" ou "repositorio:tag@sha256:…"
                         * @example nginx:1.27
                         */
                        ref?: string;
                        /**
                         * @description o id de uma integração git
                         * @example 01kapvsxq2hm6c8v5z3n9d4wtf
                         */
                        installation_id?: string;
                        repo?: string | null;
                        branch?: string | null;
                        root_dir?: string | null;
                        watch_paths?: string[] | null;
                    } | null;
                    build?: {
                        builder?: ("auto" | "node" | "go" | "rust" | "python" | "static" | "dockerfile") | null;
                        user?: string | null;
                    } | null;
                    healthcheck_path?: string | null;
                    start_command?: string | null;
                    build_command?: string | null;
                    resources?: {
                        memory_mb?: number | null;
                        cpus?: number | null;
                    } | null;
                    auto_deploy?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "web",
                     *       "kind": "app",
                     *       "visibility": "public",
                     *       "slug": "loja-da-ana",
                     *       "port": 8080,
                     *       "source": {
                     *         "type": "upload"
                     *       },
                     *       "build": {
                     *         "builder": "auto",
                     *         "user": null
                     *       },
                     *       "healthcheck_path": "/",
                     *       "start_command": null,
                     *       "build_command": null,
                     *       "resources": {
                     *         "memory_mb": 512,
                     *         "cpus": 0.5
                     *       },
                     *       "auto_deploy": false,
                     *       "public_url": "https://loja-da-ana.apps.example.com",
                     *       "status": "running",
                     *       "needs_redeploy": false,
                     *       "depends_on": [
                     *         "api",
                     *         "db"
                     *       ],
                     *       "active_deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.rule.required.name.misplaced.private_slug.public_slug.auto_deploy.installation"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-name_taken-slug_taken"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-quota_exceeded"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showService: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "web",
                     *       "kind": "app",
                     *       "visibility": "public",
                     *       "slug": "loja-da-ana",
                     *       "port": 8080,
                     *       "source": {
                     *         "type": "upload"
                     *       },
                     *       "build": {
                     *         "builder": "auto",
                     *         "user": null
                     *       },
                     *       "healthcheck_path": "/",
                     *       "start_command": null,
                     *       "build_command": null,
                     *       "resources": {
                     *         "memory_mb": 512,
                     *         "cpus": 0.5
                     *       },
                     *       "auto_deploy": false,
                     *       "public_url": "https://loja-da-ana.apps.example.com",
                     *       "status": "running",
                     *       "needs_redeploy": false,
                     *       "depends_on": [
                     *         "api",
                     *         "db"
                     *       ],
                     *       "active_deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    removeService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-volume_attached-deploy_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    patchService: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "healthcheck_path": "/saude",
                 *       "build": {
                 *         "builder": "node"
                 *       },
                 *       "resources": {
                 *         "memory_mb": 1024
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @example api */
                    name?: string;
                    /** @enum {string} */
                    visibility?: "public" | "private";
                    slug?: string | null;
                    port?: number | null;
                    source?: {
                        /** @enum {string} */
                        type?: "upload" | "image" | "git";
                        /**
                         * @description uma imagem como "repositorio:tag" ou "repositorio:tag@sha256:…"
                         * @example nginx:1.27
                         */
                        ref?: string;
                        /**
                         * @description o id de uma integração git
                         * @example 01kapvsxq2hm6c8v5z3n9d4wtf
                         */
                        installation_id?: string;
                        repo?: string | null;
                        branch?: string | null;
                        root_dir?: string | null;
                        watch_paths?: string[] | null;
                    } | null;
                    build?: {
                        builder?: ("auto" | "node" | "go" | "rust" | "python" | "static" | "dockerfile") | null;
                        user?: string | null;
                    } | null;
                    healthcheck_path?: string | null;
                    start_command?: string | null;
                    build_command?: string | null;
                    resources?: {
                        memory_mb?: number | null;
                        cpus?: number | null;
                    } | null;
                    auto_deploy?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "web",
                     *       "kind": "app",
                     *       "visibility": "public",
                     *       "slug": "loja-da-ana",
                     *       "port": 8080,
                     *       "source": {
                     *         "type": "upload"
                     *       },
                     *       "build": {
                     *         "builder": "auto",
                     *         "user": null
                     *       },
                     *       "healthcheck_path": "/",
                     *       "start_command": null,
                     *       "build_command": null,
                     *       "resources": {
                     *         "memory_mb": 512,
                     *         "cpus": 0.5
                     *       },
                     *       "auto_deploy": false,
                     *       "public_url": "https://loja-da-ana.apps.example.com",
                     *       "status": "running",
                     *       "needs_redeploy": false,
                     *       "depends_on": [
                     *         "api",
                     *         "db"
                     *       ],
                     *       "active_deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule.name.misplaced.private_slug.public_slug.auto_deploy.installation.has_domains"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-name_taken-slug_taken"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-quota_exceeded"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listVolumesOfProject: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "api",
                     *           "mount_path": "/app/dados",
                     *           "size_gb": 5,
                     *           "used_mb": 120,
                     *           "status": "attached",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Volume"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showVolume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_name": "api",
                     *       "mount_path": "/app/dados",
                     *       "size_gb": 5,
                     *       "used_mb": 120,
                     *       "status": "attached",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Volume"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    putVolume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mount_path": "/app/dados",
                 *       "size_gb": 5
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A sub-folder of /app.
                     * @example /app/dados
                     */
                    mount_path: string;
                    /** @description Never shrinks. */
                    size_gb: number;
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_name": "api",
                     *       "mount_path": "/app/dados",
                     *       "size_gb": 5,
                     *       "used_mb": 120,
                     *       "status": "attached",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Volume"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_name": "api",
                     *       "mount_path": "/app/dados",
                     *       "size_gb": 5,
                     *       "used_mb": 120,
                     *       "status": "attached",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Volume"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule.required.mount_path.size_gb"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-quota_exceeded"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    removeVolume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-deploy_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listSharedVariables: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description `true` needs the scope env:reveal too. */
                resolved?: "true" | "false";
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "name": "DATABASE_URL",
                     *           "value": "********",
                     *           "sensitive": true,
                     *           "references": [
                     *             "db"
                     *           ],
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Variable"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    putSharedVariables: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 16 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variables": [
                 *         {
                 *           "name": "API_URL",
                 *           "value": "${{api.PRIVATE_URL}}"
                 *         },
                 *         {
                 *           "name": "CHAVE",
                 *           "value": "x",
                 *           "sensitive": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    variables: {
                        /** @example API_URL */
                        name: string;
                        /**
                         * @description um texto de até 64 KiB, sem o caractere nulo
                         * @example ${{api.PRIVATE_URL}}
                         * @example x
                         */
                        value: string;
                        sensitive?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 2
                     *     }
                     */
                    "application/json": components["schemas"]["Saved"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule.required.variable_name.duplicate"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-sensitive_lowered"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    deleteSharedVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example API_URL */
                name: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listServiceVariables: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description `true` needs the scope env:reveal too. */
                resolved?: "true" | "false";
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "name": "DATABASE_URL",
                     *           "value": "********",
                     *           "sensitive": true,
                     *           "references": [
                     *             "db"
                     *           ],
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Variable"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    putServiceVariables: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 16 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variables": [
                 *         {
                 *           "name": "API_URL",
                 *           "value": "${{api.PRIVATE_URL}}"
                 *         },
                 *         {
                 *           "name": "CHAVE",
                 *           "value": "x",
                 *           "sensitive": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    variables: {
                        /** @example API_URL */
                        name: string;
                        /**
                         * @description um texto de até 64 KiB, sem o caractere nulo
                         * @example ${{api.PRIVATE_URL}}
                         * @example x
                         */
                        value: string;
                        sensitive?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 2
                     *     }
                     */
                    "application/json": components["schemas"]["Saved"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule.required.variable_name.duplicate"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-sensitive_lowered"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    putServiceVariable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example API_URL */
                name: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "${{db.DATABASE_URL}}",
                 *       "sensitive": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description um texto de até 64 KiB, sem o caractere nulo
                     * @example ${{api.PRIVATE_URL}}
                     * @example x
                     */
                    value: string;
                    sensitive?: boolean;
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 2
                     *     }
                     */
                    "application/json": components["schemas"]["Saved"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule.required.variable_name"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-sensitive_lowered"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    deleteServiceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example API_URL */
                name: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listDatabasesOfProject: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "name": "db",
                     *           "kind": "database",
                     *           "engine": "postgres",
                     *           "status": "ready",
                     *           "quota_mb": 1024,
                     *           "size_mb": 8,
                     *           "read_only": false,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Database"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    createDatabase: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "db",
                 *       "engine": "postgres",
                 *       "quota_mb": 1024
                 *     }
                 */
                "application/json": {
                    /** @example db */
                    name: string;
                    /** @enum {string} */
                    engine: "postgres" | "mariadb" | "sqlite";
                    /** @default 1024 */
                    quota_mb?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "db",
                     *       "kind": "database",
                     *       "engine": "postgres",
                     *       "status": "provisioning",
                     *       "quota_mb": 1024
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedDatabase"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.rule.required.name"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-name_taken"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-quota_exceeded"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable.any.databases"];
        };
    };
    showDatabase: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "db",
                     *       "kind": "database",
                     *       "engine": "postgres",
                     *       "status": "ready",
                     *       "quota_mb": 1024,
                     *       "size_mb": 8,
                     *       "read_only": false,
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Database"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    deleteDatabase: {
        parameters: {
            query?: {
                /** @description Default: true. The body may say it too. */
                final_backup?: "true" | "false";
            };
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "final_backup": false
                 *     }
                 */
                "application/json": {
                    final_backup?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.body.unknown_field.rule"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    patchDatabase: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that must still hold: otherwise 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quota_mb": 2048
                 *     }
                 */
                "application/json": {
                    quota_mb?: number;
                };
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "db",
                     *       "kind": "database",
                     *       "engine": "postgres",
                     *       "status": "ready",
                     *       "quota_mb": 1024,
                     *       "size_mb": 8,
                     *       "read_only": false,
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "updated_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Database"];
                };
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field.rule"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            412: components["responses"]["412-precondition_failed"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-quota_exceeded.any.database"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    rotateDatabase: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "name": "db",
                     *       "kind": "database",
                     *       "engine": "postgres"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedDatabase"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-database_not_ready"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable.any.databases"];
        };
    };
    revealCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description Looked at, and nothing is kept for it: the answer holds secrets. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example db
                 */
                database: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentials": [
                     *         {
                     *           "name": "PGHOST",
                     *           "value": "db.cais.internal"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-database_not_ready"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listBackupsOfProject: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "database_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "database_name": "db",
                     *           "engine": "postgres",
                     *           "kind": "final",
                     *           "status": "ready",
                     *           "size_mb": 12,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "expires_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Backup"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showBackup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                backup: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "database_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "database_name": "db",
                     *       "engine": "postgres",
                     *       "kind": "final",
                     *       "status": "ready",
                     *       "size_mb": 12,
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "expires_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Backup"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    restoreBackup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                backup: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "db-de-ontem",
                 *       "quota_mb": 2048
                 *     }
                 */
                "application/json": {
                    /** @example db */
                    name?: string;
                    quota_mb?: number;
                };
            };
        };
        responses: {
            /** @description Triggered: poll `Location`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "backup_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "database_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "running",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Restore"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.rule.name"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-database_not_ready.backup-name_taken"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-quota_exceeded.any.database"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable.any.databases"];
        };
    };
    showRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                restore: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "backup_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "database_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "running",
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Restore"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listOwnDomains: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "hostname": "loja.example.com",
                     *           "status": "pending",
                     *           "dns": [
                     *             {
                     *               "type": "CNAME",
                     *               "name": "loja.example.com",
                     *               "value": "loja-da-ana.apps.example.com",
                     *               "ttl": 300
                     *             }
                     *           ],
                     *           "verification": {
                     *             "type": "TXT",
                     *             "name": "_web-verify.loja.example.com",
                     *             "value": "cais-verify=Zm9vYmFy"
                     *           },
                     *           "last_checked_at": null,
                     *           "last_error": null,
                     *           "verified_at": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Domain"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hostname": "loja.example.com"
                 *     }
                 */
                "application/json": {
                    /** @example loja.example.com */
                    hostname: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "hostname": "loja.example.com",
                     *       "status": "pending",
                     *       "dns": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "loja.example.com",
                     *           "value": "loja-da-ana.apps.example.com",
                     *           "ttl": 300
                     *         }
                     *       ],
                     *       "verification": {
                     *         "type": "TXT",
                     *         "name": "_web-verify.loja.example.com",
                     *         "value": "cais-verify=Zm9vYmFy"
                     *       },
                     *       "last_checked_at": null,
                     *       "last_error": null,
                     *       "verified_at": null,
                     *       "created_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.rule.required.private_domain"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-domain_taken"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                domain: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "hostname": "loja.example.com",
                     *       "status": "pending",
                     *       "dns": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "loja.example.com",
                     *           "value": "loja-da-ana.apps.example.com",
                     *           "ttl": 300
                     *         }
                     *       ],
                     *       "verification": {
                     *         "type": "TXT",
                     *         "name": "_web-verify.loja.example.com",
                     *         "value": "cais-verify=Zm9vYmFy"
                     *       },
                     *       "last_checked_at": null,
                     *       "last_error": null,
                     *       "verified_at": null,
                     *       "created_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    removeDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                domain: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                domain: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "hostname": "loja.example.com",
                     *       "status": "pending",
                     *       "dns": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "loja.example.com",
                     *           "value": "loja-da-ana.apps.example.com",
                     *           "ttl": 300
                     *         }
                     *       ],
                     *       "verification": {
                     *         "type": "TXT",
                     *         "name": "_web-verify.loja.example.com",
                     *         "value": "cais-verify=Zm9vYmFy"
                     *       },
                     *       "last_checked_at": null,
                     *       "last_error": null,
                     *       "verified_at": null,
                     *       "created_at": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-rate_limited.domain"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    listDeploymentsOfService: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "queued",
                     *           "trigger": "upload",
                     *           "source": {
                     *             "type": "upload",
                     *             "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *           },
                     *           "group_id": null,
                     *           "rollback_of": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "started_at": null,
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Deployment"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                        has_more: boolean;
                    };
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http.parameter.cursor"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    createDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON, or one file of at most 512 MiB; with `Expect: 100-continue` it is asked for once the rest is well. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
                /**
                 * @example {
                 *       "file": "app.tar.gz"
                 *     }
                 */
                "multipart/form-data": {
                    /** @description .tar.gz or .zip */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Triggered: poll `Location`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "queued",
                     *       "trigger": "upload",
                     *       "source": {
                     *         "type": "upload",
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *       },
                     *       "group_id": null,
                     *       "rollback_of": null,
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.archive.duplicate.required.file_source"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-deploy_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-unresolved_reference.any.provisioning-reference_cycle-reference_too_deep-value_too_large-invalid_reference"];
            429: components["responses"]["429-rate_limited.requests.deploys"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable.any.build_storage.build_disk"];
        };
    };
    showDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                deployment: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "queued",
                     *       "trigger": "upload",
                     *       "source": {
                     *         "type": "upload",
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *       },
                     *       "group_id": null,
                     *       "rollback_of": null,
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showBuildLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                deployment: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "text": "12:00:00 listening on 8080\n",
                     *       "truncated": false,
                     *       "next_since": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Log"];
                };
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    rollBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                deployment: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Triggered: poll `Location`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "queued",
                     *       "trigger": "upload",
                     *       "source": {
                     *         "type": "upload",
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *       },
                     *       "group_id": null,
                     *       "rollback_of": null,
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "started_at": null,
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-nothing_to_rollback-deploy_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-unresolved_reference.any.provisioning-value_too_large"];
            429: components["responses"]["429-rate_limited.requests.deploys"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showRuntimeLog: {
        parameters: {
            query?: {
                /** @description RFC 3339; default: 10 minutes ago. */
                since?: string;
            };
            header?: never;
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /**
                 * @description Id or name.
                 * @example web
                 */
                service: components["schemas"]["Id"] | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "text": "12:00:00 listening on 8080\n",
                     *       "truncated": false,
                     *       "next_since": "2030-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Log"];
                };
            };
            400: components["responses"]["400-invalid_request.http.parameter"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "services": [
                 *         "api",
                 *         "web"
                 *       ]
                 *     }
                 */
                "application/json": {
                    services?: string[];
                };
            };
        };
        responses: {
            /** @description Triggered: poll `Location`. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "running",
                     *       "items": [
                     *         {
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "api",
                     *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "building",
                     *           "layer": 0
                     *         },
                     *         {
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "web",
                     *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "queued",
                     *           "layer": 1
                     *         }
                     *       ],
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field.rule.services"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress-deploy_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict-unresolved_reference.any.provisioning-reference_cycle-reference_too_deep-value_too_large-invalid_reference"];
            429: components["responses"]["429-rate_limited.requests.deploys"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    showGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                group: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "running",
                     *       "items": [
                     *         {
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "api",
                     *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "building",
                     *           "layer": 0
                     *         },
                     *         {
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "web",
                     *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "queued",
                     *           "layer": 1
                     *         }
                     *       ],
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    cancelGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request within 24 h repeats the answer, with `Idempotent-Replay: true`; with another request it is 422 `idempotency_conflict`. Only 2xx answers are kept. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                project: components["schemas"]["Id"];
                /** @example 01kapvsxq2hm6c8v5z3n9d4wtf */
                group: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done, as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay.optional"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "project_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *       "status": "running",
                     *       "items": [
                     *         {
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "api",
                     *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "building",
                     *           "layer": 0
                     *         },
                     *         {
                     *           "service_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "service_name": "web",
                     *           "deployment_id": "01kapvsxq2hm6c8v5z3n9d4wtf",
                     *           "status": "queued",
                     *           "layer": 1
                     *         }
                     *       ],
                     *       "created_at": "2030-01-31T12:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Group"];
                };
            };
            400: components["responses"]["400-invalid_request.http.idempotency.body.unknown_field"];
            401: components["responses"]["401-unauthorized"];
            403: components["responses"]["403-forbidden.scope"];
            404: components["responses"]["404-not_found"];
            409: components["responses"]["409-idempotency_in_progress"];
            413: components["responses"]["413-payload_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-idempotency_conflict"];
            429: components["responses"]["429-rate_limited.requests"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-unavailable"];
        };
    };
    isAlive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "detail": "ready"
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                        /** @description For whoever operates the platform. */
                        detail: string;
                    };
                };
            };
            400: components["responses"]["400-invalid_request.http"];
            500: components["responses"]["500-internal_error"];
        };
    };
    isReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "detail": "ready"
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                        /** @description For whoever operates the platform. */
                        detail: string;
                    };
                };
            };
            400: components["responses"]["400-invalid_request.http"];
            500: components["responses"]["500-internal_error"];
            /** @description Not now: `detail` says what is missing. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Content-Language": components["headers"]["Content-Language"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unavailable",
                     *       "message": "O serviço está temporariamente indisponível. Tente de novo em instantes.",
                     *       "ok": false,
                     *       "detail": "the control database is not migrated"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        error: "unavailable";
                        message: string;
                        ok: boolean;
                        /** @description For whoever operates the platform. */
                        detail: string;
                    };
                };
            };
        };
    };
    readDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": Record<string, never>;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            500: components["responses"]["500-internal_error"];
        };
    };
    readDocumentation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag: 304 when nothing changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that loads nothing from elsewhere. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request.http"];
            500: components["responses"]["500-internal_error"];
        };
    };
}
