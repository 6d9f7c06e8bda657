-- Counted before more people are opted out whom no number of the organization knows.
create index contacts_unknown on contacts (organization_id) where known_to = '{}';
