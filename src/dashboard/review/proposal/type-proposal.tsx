/// <reference lib="dom" />
import { type FormEvent, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Device } from "../../../contract/device/device.ts";
import { useSignedIn } from "../../base/session.ts";
import { TypeField, useTypes } from "../../entity/device/type-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useDraft } from "../../ui/draft.ts";
import { ReasonField } from "../../ui/field/reason-field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { proposalsAbout } from "../review-queries.ts";
import { useCreation } from "../../base/use-creation.ts";
import { CONSEQUENCES, proposalLink, proposedChange } from "./proposal-labels.ts";
import { useProposed } from "./use-proposed.ts";

type Proposed = Pick<Device, "device_id" | "display_name" | "device_type">;

/** The pending proposal of a device's type; without one, a way to make it. One line that keeps its height. */
export function TypeProposal({ device }: { device: Proposed }) {
  const { tenant, roles } = useSignedIn();
  const { data } = useQuery(proposalsAbout(tenant, device.device_id));
  const [open, setOpen] = useState(false);
  const pending = data?.find(({ status }) => status === "proposed");
  const close = () => setOpen(false);
  return (
    <>
      <span className="type-proposal small">
        {pending
          ? (
            <Link {...proposalLink(pending)} className="link">
              <Foreign text={`Proposed: ${proposedChange(pending)}`} />
            </Link>
          )
          : roles.includes("analyst") && data !== undefined && (
            <button
              type="button"
              className="link-button"
              onClick={() => setOpen(true)}
            >
              Propose a type…
            </button>
          )}
      </span>
      <Dialog title="Propose a device type" open={open} close={close}>
        <TypeProposalForm device={device} close={close} />
      </Dialog>
    </>
  );
}

function TypeProposalForm({ device, close }: { device: Proposed; close: () => void }) {
  const proposed = useProposed();
  const { session } = useSignedIn();
  const types = useTypes();
  const [device_type, setType] = useState(device.device_type);
  const [reason, setReason] = useDraft(session.subject, `type proposal ${device.device_id}`);
  const params = { device_id: device.device_id };
  const create = useCreation("suggestClassification", { params }, (proposal) => {
    setReason("");
    close();
    proposed(proposal);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ device_type: device_type.trim(), reason: reason.trim() });
  };
  return (
    <form className="form" onSubmit={submit}>
      <Foreign text={device.display_name} className="strong wrap" />
      <p className="soft">An analyst decides on the proposal. {CONSEQUENCES.classification}</p>
      <TypeField types={types} value={device_type} set={setType} autoFocus />
      <ReasonField value={reason} set={setReason} />
      <FormEnd
        fault={create.error && `Not saved: ${create.error.message}`}
        saving={create.isPending}
        send="Propose"
        cancel={close}
      />
    </form>
  );
}
