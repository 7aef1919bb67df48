import { ModelProposalForm } from "../proposal/model-proposal-form.tsx";

/** The form that proposes a change of a detector. */
export default function ChangeDetector({ model, close }: { model: string; close: () => void }) {
  return <ModelProposalForm model={model} close={close} />;
}
