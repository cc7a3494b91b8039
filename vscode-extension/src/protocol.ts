// What the server speaks beyond LSP; docs/protocol-extensions.md of the repository is the definition.
import { NotificationType, RequestType } from 'vscode-languageclient/node';

export interface Tile { name: string; line: number; size: number; offset?: number; live: [number, number]; type?: string }
export interface Box { buffer: string; address: number; size: number; firstLine: number; lastLine: number; firstStmt: number; lastStmt: number; tiles: Tile[]; reasons?: string[]; overflow?: boolean }
export interface Space { name: string; used: number; limit: number; reserved?: { name: string; address: number; size: number }[]; peakLine?: number; lowerBound?: number; boxes: Box[] }
export interface PlannedFunction { name: string; kind?: string; firstLine: number; lastLine: number; approximate?: string[]; notes?: string[]; spaces: Space[]; source?: string[] }

interface Document { textDocument: { uri: string } }
export interface PlanParams extends Document { function?: string; planner?: string; platform?: string; source?: boolean }
export interface PlanResult { uri: string; version: number; planner: string; platform: string; functions: PlannedFunction[] }
export interface IrAfterParams extends Document { pass: string; function?: string }
export interface IrAfterResult { text: string; pass: string; error?: string }
export interface StatusResult { platform: string; planner: string; source: string; approximate: boolean; function?: string; spaces: { space: string; used: number; limit: number }[] }

export const Plan = new RequestType<PlanParams, PlanResult, void>('pypto/plan');
export const IrAfter = new RequestType<IrAfterParams, IrAfterResult, void>('pypto/irAfter');
export const Status = new RequestType<Document, StatusResult, void>('pypto/status');
export const PlanChanged = new NotificationType<{ uri: string; version: number }>('pypto/planChanged');
