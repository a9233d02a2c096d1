"""Whether docs/deploy-role.yaml has the rights that CloudFormation needs for the types of a template, and no dangerous one.

cfn-lint has the schema of each type, which says what its handlers call. `.ci/run template` runs this with the template.
"""

import json
import re
import sys
from fnmatch import fnmatchcase

import yaml
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

# What our properties never call: other sources of data and code, features that we do not use.
UNUSED = re.compile(
    r"dynamodb:.*(Item|Query|Scan|Kinesis|Import|Replica|ResourcePolicy|ContributorInsights|DeleteTable)"
    r"|iam:(Attach|Detach|.*PermissionsBoundary)"
    r"|logs:.*(Kms|PutDataProtection|DeleteDataProtection|PutIndex|DeleteIndex|DeleteResource|BearerToken|LogGroupDeletion)"
)
# Rights to read or destroy what people have stored, or to become somebody else.
FORBIDDEN = """
dynamodb:BatchGetItem dynamodb:BatchWriteItem dynamodb:DeleteBackup dynamodb:DeleteItem dynamodb:DeleteTable
dynamodb:GetItem dynamodb:GetRecords dynamodb:PutItem dynamodb:PutResourcePolicy dynamodb:Query dynamodb:Scan
dynamodb:UpdateItem iam:AttachRolePolicy iam:CreateAccessKey iam:CreateUser kms:Decrypt logs:FilterLogEvents
logs:GetLogEvents logs:StartQuery sts:AssumeRole
""".split()

with open("docs/deploy-role.yaml", encoding="utf-8") as file:
    (policy,) = yaml.safe_load(file)["Resources"]["DeployRole"]["Properties"]["Policies"]
with open(sys.argv[1], encoding="utf-8") as file:
    types = {resource["Type"] for resource in json.load(file)["Resources"].values()}

statements = policy["PolicyDocument"]["Statement"]
allowed = [action for one in statements for action in ([one["Action"]] if isinstance(one["Action"], str) else one["Action"])]


def is_allowed(action: str) -> bool:
    return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in allowed)


problems = [f"{action} is allowed" for action in FORBIDDEN if is_allowed(action)]
for name in sorted(types):
    handlers = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", name).schema.get("handlers", {})
    called = {action for one in ("create", "read", "update") for action in handlers.get(one, {}).get("permissions", [])}
    service = {"ApiGatewayV2": "apigateway"}.get(name.split("::")[1], name.split("::")[1].lower())
    own = {action for action in called if action.startswith(f"{service}:") and not UNUSED.match(action)}
    problems += [f"{name} needs {action}" for action in sorted(own) if not is_allowed(action)]
if problems:
    sys.exit("\n".join(problems))
print(f"docs/deploy-role.yaml has what {len(types)} types need")
