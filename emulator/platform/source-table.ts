/** One row: the fields that a source needs in a create, and those that it refuses in every request. */
export interface SourceRow {
  readonly source_config: { readonly needs: readonly string[]; readonly refuses: readonly string[] };
  readonly source_revision_config: {
    /** Alternatives, each a list of fields that must all be given. */
    readonly needs: readonly (readonly string[])[];
    readonly refuses: readonly string[];
    /** Whether a create may leave all of it to the PATCH that follows the upload: until then there is no revision. */
    readonly mayFollow?: boolean;
  };
  readonly takesSecretReferences: boolean;
  /** Whether the variables that only the cloud reserves are refused too. */
  readonly onTheCloud: boolean;
}

const UPLOADED: SourceRow = {
  source_config: { needs: ["deployment_type"], refuses: ["build_on_push", "resource_spec"] },
  source_revision_config: {
    needs: [["image_uri"], ["source_tarball_path", "langgraph_config_path"]],
    refuses: ["repo_ref"],
    mayFollow: true,
  },
  takesSecretReferences: false,
  onTheCloud: true,
};

/** docs/internals/platform.md, Source: what each source needs and refuses. */
const SOURCE_TABLE: Readonly<Record<string, SourceRow>> = {
  github: {
    source_config: {
      needs: ["integration_id", "repo_url", "deployment_type", "build_on_push"],
      refuses: ["custom_url", "listener_id", "listener_config", "resource_spec"],
    },
    source_revision_config: { needs: [["repo_ref", "langgraph_config_path"]], refuses: ["image_uri"] },
    takesSecretReferences: false,
    onTheCloud: true,
  },
  external_docker: {
    source_config: {
      needs: ["resource_spec"],
      refuses: ["deployment_type", "build_on_push", "integration_id", "repo_url"],
    },
    source_revision_config: { needs: [["image_uri"]], refuses: ["repo_ref", "langgraph_config_path"] },
    takesSecretReferences: true,
    onTheCloud: false,
  },
  internal_docker: UPLOADED,
  internal_source: UPLOADED,
  internal_template: {
    source_config: { needs: ["deployment_type", "template_id"], refuses: ["build_on_push", "resource_spec"] },
    source_revision_config: { needs: [[]], refuses: [] },
    takesSecretReferences: false,
    onTheCloud: true,
  },
};

export const SOURCES: readonly string[] = Object.keys(SOURCE_TABLE);

/** The row of a source; undefined for an unknown one. */
export const rowOf = (source: string): SourceRow | undefined =>
  SOURCES.includes(source) ? SOURCE_TABLE[source] : undefined;

/** Whether the code or the image of a deployment comes from a client that uploads it. */
export const isUploaded = (source: string): boolean => rowOf(source) === UPLOADED;

/** docs/internals/platform.md, source_config. Those that scale to zero are what one official client sends by default. */
export const DEPLOYMENT_TYPES: readonly string[] = ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"];
