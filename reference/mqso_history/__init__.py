"""A second opinion on queue managers (MS-MQSO): recorded histories checked by properties, without the model's rules."""
