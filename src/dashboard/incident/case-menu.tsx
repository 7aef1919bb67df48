import { Menu, MenuButton, MenuItem, MenuProvider } from "@ariakit/react";
import type { CaseFormat } from "../../contract/incident/case.ts";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { addressOf } from "../base/api.ts";
import { Icon } from "../ui/icons.tsx";

/** Downloads the incident for people and tools without access to the service. */
export function CaseMenu({ incident }: { incident: Pick<IncidentDetail, "id" | "evidence"> }) {
  const formats: readonly (readonly [CaseFormat, string])[] = [
    ["html", "Report to print or archive (HTML)"],
    ["markdown", "Report for a ticket (Markdown)"],
    ["json", "Whole case for programs (JSON)"],
    ["stix", "Bundle for MISP or OpenCTI (STIX 2.1)"],
    ["navigator", "Techniques for ATT&CK Navigator (JSON)"],
    ["records", `Raw records of the evidence (NDJSON, ${incident.evidence.length})`],
  ];
  const hrefOf = (format: CaseFormat) =>
    addressOf("exportIncident", { params: { incident_id: incident.id }, query: { format } });
  return (
    <MenuProvider>
      <MenuButton className="button" aria-label="Export the incident">
        <Icon name="download" />
        Export
      </MenuButton>
      <Menu className="menu" gutter={4} unmountOnHide>
        {formats.map(([format, label]) => (
          <MenuItem key={format} className="menu-item" render={<a href={hrefOf(format)} download />}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </MenuProvider>
  );
}
