"""The patient simulator of seed 000 and what conducts its calls.

Owns the trial: a cell and an arm, an agent, a system and a seed in; a stored log out. Scores nothing.
"""

from benchmarks.simulator.chat import ChatModel, Completion, Message, Usage
from benchmarks.simulator.patient import Patient, SimulatedPatient
from benchmarks.simulator.placement import Cut
from benchmarks.simulator.replica import ReplicaSystem
from benchmarks.simulator.scripted_agent import Policy, ScriptedAgent, scripted_agent
from benchmarks.simulator.stages import Stages, model_stages, scripted_stages
from benchmarks.simulator.system import Call, CallBounds, CallRecord, Claims, EndReason, System
from benchmarks.simulator.transcript import AgentTurn, HeardTurn, PatientTurn, Speaker, heard_transcript
from benchmarks.simulator.trial import run_trial, trial_seed
from benchmarks.simulator.trial_log import TrialLog

__all__ = [
    "AgentTurn",
    "Call",
    "CallBounds",
    "CallRecord",
    "ChatModel",
    "Claims",
    "Completion",
    "Cut",
    "EndReason",
    "HeardTurn",
    "Message",
    "Patient",
    "PatientTurn",
    "Policy",
    "ReplicaSystem",
    "ScriptedAgent",
    "SimulatedPatient",
    "Speaker",
    "Stages",
    "System",
    "TrialLog",
    "Usage",
    "heard_transcript",
    "model_stages",
    "run_trial",
    "scripted_agent",
    "scripted_stages",
    "trial_seed",
]
